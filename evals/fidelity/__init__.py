"""What of a page's main content reaches the reader, on the pages of documentation generators."""
