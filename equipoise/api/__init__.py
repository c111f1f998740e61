"""The functions of `import equipoise as eq`: one for each command, with results as objects."""
