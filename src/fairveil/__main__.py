"""`python -m fairveil` is the command `fairveil`."""

from fairveil.cli import main

main()
