"""The MCP server: two tools, the ASGI guard, stdio and health. The only room that imports mcp."""
