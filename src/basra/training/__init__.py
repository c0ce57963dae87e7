"""Fitting of models by playing; needs NumPy, which nothing else of the package does."""
