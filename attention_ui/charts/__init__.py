"""Altair specs without data, built once for each language; one palette.

A spec never changes with the data: its layers filter on columns of the one table it is drawn with.
"""

from attention_ui.charts.board import board_chart
from attention_ui.charts.gradient import gradient_chart
from attention_ui.charts.growth import growth_chart
from attention_ui.charts.head import graph_chart, spectrum_chart
from attention_ui.charts.lines import lines_chart
from attention_ui.charts.matrix import matrix_chart
from attention_ui.charts.style import PALETTE
from attention_ui.charts.training import course_chart, identity_chart, map_chart, watched_chart

__all__ = [
    "PALETTE",
    "board_chart",
    "course_chart",
    "gradient_chart",
    "graph_chart",
    "growth_chart",
    "identity_chart",
    "lines_chart",
    "map_chart",
    "matrix_chart",
    "spectrum_chart",
    "watched_chart",
]
