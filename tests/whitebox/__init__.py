"""Tests that look inside the C core."""
