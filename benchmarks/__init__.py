"""Speed: how fast the page answers, how many visitors it carries, and the core beside plain numpy."""
