"""What `equipoise check` leaves: a terminal's table, JUnit XML, Markdown, and annotations of GitHub and GitLab."""
