"""One page: opened, waited for, read."""
