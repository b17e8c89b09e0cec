"""Asking: a question drawn from its file or template, an answer judged, a session of several."""
