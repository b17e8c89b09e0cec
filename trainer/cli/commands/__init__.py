"""One module a command, each with `run(args, out) -> exit code`; imported only when it is called."""
