"""The output of `equipoise check`: a table, JUnit XML, Markdown, and annotations for GitHub and GitLab."""
