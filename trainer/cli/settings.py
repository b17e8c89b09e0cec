"""The settings file, for commands: what was not said on the command line is as in the app."""

from __future__ import annotations

import os
from argparse import Namespace

from trainer.cli.output import Output
from trainer.store.config import read_config
from trainer.text import LANGUAGE_VARIABLE, clean

_OPTIONS = ("backend", "device")  # of the command line, called as the setting is


def settle(args: Namespace, out: Output) -> None:
    """Fill in options that were left out. Wrong entries of the file cost a warning, all in one."""
    reading = read_config()
    config = reading.config
    if reading.mistakes:
        told = "\n".join([str(mistake) for mistake in reading.mistakes])
        out.warn(clean(f"{told}\nwhat is wrong is left out, the rest of the settings holds"))
    for name in _OPTIONS:
        if getattr(args, name, "") is None:
            setattr(args, name, getattr(config, name))
    args.workspace = config.workspace
    if config.language:
        os.environ[LANGUAGE_VARIABLE] = config.language
