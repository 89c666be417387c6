"""Rules declared in TOML, and how they are matched."""
