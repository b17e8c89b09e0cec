"""`python -m trainer.worker --backend sim --fd 3`: started by `trainer.worker.process`, not by hand."""

from __future__ import annotations

import sys

from trainer.worker.server import main

sys.exit(main(sys.argv[1:]))
