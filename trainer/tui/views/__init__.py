"""A grade in words: functions from records to `Content`, without widgets."""
