"""What all formats share: archives, checked XML, colours, lengths, pages."""
