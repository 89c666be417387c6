"""DOCX, PPTX and XLSX to Markdown."""
