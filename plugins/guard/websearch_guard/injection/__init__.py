"""Instructions to a model inside a text: rules, a linear model, and a judge of both."""
