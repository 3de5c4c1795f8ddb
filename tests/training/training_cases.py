"""What the tests of the training lab share: a plan of two runs."""

from attention_ui.training_live import Plan

PLAN = Plan(("none", "sqrt"), 64, 1.0, 1.0, 100, 5)
