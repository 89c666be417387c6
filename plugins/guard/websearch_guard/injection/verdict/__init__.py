"""From matches and the model's scores to what is marked and removed."""
