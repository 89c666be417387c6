"""A trust policy: pages of popular sites may skip the filters that the operator lets them skip."""
