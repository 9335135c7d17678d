"""Connection sets over GF(2)^n, and the cubes that they generate."""
