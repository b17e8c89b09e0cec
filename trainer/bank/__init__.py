"""Questions as data: schema, loading, ladders and the lint that proves them sound."""
