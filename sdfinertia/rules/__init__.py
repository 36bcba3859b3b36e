"""What `check` looks for: each rule is one declaration, from which its documentation is made too."""
