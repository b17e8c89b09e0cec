"""Timed mock interviews: blueprints, what is drawn from them, the clock, scores and the report.

Pure functions over saved events decide everything; `session` appends the events, front ends show them.
"""
