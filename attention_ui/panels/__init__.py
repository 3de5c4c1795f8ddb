"""The parts of the pages, each a fragment's body or a piece of one."""
