"""Pages rendered in Chromium, whose every request passes the core's guarded client."""
