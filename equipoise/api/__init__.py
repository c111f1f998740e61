"""What `import equipoise as eq` offers: what every command does, as functions with results."""
