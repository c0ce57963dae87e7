"""Fitting models by playing: needs NumPy, `pip install 'basra[train]'`."""
