"""The two doors to the network: `web` for addresses from outside, `api` for engines that the operator configured."""
