"""The server's cost next to a bare MCP server's: `make bench`."""
