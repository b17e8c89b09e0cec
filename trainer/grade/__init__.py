"""Grading: cases, comparison, stages, verdict, score and the place on the ladder."""
