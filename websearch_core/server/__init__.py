"""The MCP server: two tools, the ASGI edge, stdio and health. The only room that imports mcp."""
