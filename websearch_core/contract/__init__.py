"""What core and plugins agree on: values, verdicts, errors, results, component classes, hooks, plugin context."""
