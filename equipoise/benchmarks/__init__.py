"""How fast, how small: measurements for `equipoise bench`, each as plain tables that JSON can hold."""
