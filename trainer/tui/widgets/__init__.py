"""One widget a file. Widgets get data and post messages; they never look for a sibling."""
