"""Mock interviews in the terminal app: choosing one, the interview itself, and what comes after it."""
