"""The parts of the playground page, each a fragment's body."""
