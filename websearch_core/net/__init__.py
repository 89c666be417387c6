"""The two clients for the network: guarded for addresses from outside, bound to one origin for configured engines."""
