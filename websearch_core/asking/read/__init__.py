"""One page: fetched, extracted, rendered where needed, and checked anew when it may have changed."""
