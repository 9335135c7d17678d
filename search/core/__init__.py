"""The search loop and what it is made of; knows no space."""
