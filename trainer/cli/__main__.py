import sys

from trainer.entry import main

sys.exit(main())
