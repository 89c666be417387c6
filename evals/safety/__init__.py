"""How well the safety filters work: counts, rates with 95 % intervals, times, each with the bar to pass."""
