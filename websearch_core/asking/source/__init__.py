"""What stands before each backend and fetcher: breaker, cool-downs, cache, single flight."""
