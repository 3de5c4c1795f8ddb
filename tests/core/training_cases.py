"""What the tests of training share: the rules that are trained under, and a task small enough for any test."""

from attention_core.training_task import Task

RULES = ("none", "sqrt", "linear")
SMALL = Task(n_keys=6, d_model=5, batch=8, watched=3)
