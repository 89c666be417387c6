"""What a packet is, how it is made, kept and cut to size."""
