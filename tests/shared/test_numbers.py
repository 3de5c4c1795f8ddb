"""Numbers as people read them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_ui.numbers import counted, fixed, latex, measure, percent, plain, short, significant


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.7069, 3, "0.707"),
        (-1.5, 2, "−1.50"),
        (-0.0001, 3, "0.000"),
        (-0.0, 1, "0.0"),
        (float("-inf"), 3, "−∞"),
        (float("inf"), 3, "∞"),
        (1.2e9, 2, "1.20×10⁹"),
        (-3e30, 1, "−3.0×10³⁰"),
        (9_999_999.0, 0, "9999999"),
    ],
)
def test_fixed(value: float, decimals: int, text: str) -> None:
    assert fixed(value, decimals) == text


def test_whole_numbers_stand_without_decimals() -> None:
    assert [plain(value, 3) for value in (2.0, -3.0, 0.57735)] == ["2", "−3", "0.577"]


def test_a_tiny_measure_is_a_power_of_ten_and_zero_is_zero() -> None:
    assert [measure(value) for value in (5.3e-22, 0.0, 0.0004, 0.4644)] == ["5.3×10⁻²²", "0.000", "4.0×10⁻⁴", "0.464"]


def test_short_numbers_fit_a_narrow_cell() -> None:
    values = (0.954, 0.0, 1.0, 0.5, -0.25, -1.24, 9.96, 166.01, -110.9, float("-inf"), 0.0004)
    assert [short(value) for value in values] == [
        ".95", "0", "1", ".5", "−.25", "−1.2", "10", "166", "−111", "−∞", "0"
    ]  # fmt: skip


def test_numbers_in_formulas() -> None:
    shown = [latex(value, 3) for value in (2.0, -0.57735, 1e-9, 2.5e9, float("-inf"))]
    assert shown == ["2", "-0.577", r"1.000 \times 10^{-9}", r"2.500 \times 10^{9}", r"-\infty"]


@given(st.floats(0, 1))
def test_a_percentage_never_claims_all_or_nothing(share: float) -> None:
    text = percent(share)
    assert text not in ("0.0 %", "100.0 %")
    if text[0] not in "<>":
        assert abs(float(text.removesuffix(" %")) / 100 - share) <= 0.00051


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_what_is_shown_is_the_value_rounded(value: float, decimals: int) -> None:
    shown = fixed(value, decimals)
    assert "-" not in shown
    assert not re.fullmatch(r"−0\.?0*", shown)
    assert float(shown.replace("−", "-")) == pytest.approx(value, abs=0.5 * 10.0**-decimals + 1e-9)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0"), (0.004123, "0.00412"), (0.1049, "0.105"), (0.9997, "1.00"), (1.0, "1.00"),
     (5.268, "5.27"), (12.34, "12.3"), (1024.4, "1024"),
     (2.14e-9, "2.1×10⁻⁹"), (-0.5, "−0.500"), (float("inf"), "∞"), (3e8, "3.0×10⁸")],
)  # fmt: skip
def test_significant_digits_and_nothing_that_looks_like_nothing(value: float, shown: str) -> None:
    assert significant(value) == shown


def test_a_counted_share_tells_none_from_almost_none() -> None:
    assert [counted(part) for part in (0.0, 0.0001, 0.5, 0.9999, 1.0)] == [
        "0 %",
        "< 0.1 %",
        "50.0 %",
        "> 99.9 %",
        "100 %",
    ]
