"""The settings file, for commands: what was not said on the command line is as in the app."""

from __future__ import annotations

import os
from argparse import Namespace

from trainer.cli.output import Output
from trainer.errors import UsageError
from trainer.store.config import Config, read_config
from trainer.text import LANGUAGE_VARIABLE

_OPTIONS = ("backend", "device")  # of the command line, called as the setting is


def settle(args: Namespace, out: Output) -> None:
    """Fill in options that were left out. A broken file costs a warning."""
    try:
        config = read_config()
    except UsageError as problem:
        out.warn(f"{problem}; the defaults hold")
        config = Config()
    for name in _OPTIONS:
        if getattr(args, name, "") is None:
            setattr(args, name, getattr(config, name))
    args.workspace = config.workspace
    if config.language:
        os.environ[LANGUAGE_VARIABLE] = config.language
