"""Running and timing submissions on an NVIDIA GPU: one context, used from inside a worker process."""
