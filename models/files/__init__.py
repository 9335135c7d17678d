"""Reading of user files up to a limit of size, and atomic writing: a file is whole or absent."""
