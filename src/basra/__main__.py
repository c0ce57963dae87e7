"""`python -m basra` is `basra`."""

from basra.cli import main

if __name__ == "__main__":
    main()
