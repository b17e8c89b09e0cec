"""Answers to strategy questions: numbers, ticked points, follow-ups and the level they add up to."""
