"""A child process that compiles and runs submissions, and the parent's side of it.

`client.RemoteBackend` is what grading uses; `python -m trainer.worker` is the child (`server`).
"""
