"""The myths: the numbers that answer them say what the answers say, for any number of keys and seed."""

import re

import pytest

from attention_ui.myths import MYTHS, VERDICTS, values
from attention_ui.text import LANGUAGES, words_of

RUNS = [(2, 0), (8, 0), (64, 5), (1024, 9999)]


def number(text: object) -> float:
    """A shown number back: 0.5, 98.2 %, 1.1×10⁻¹⁶."""
    plain = str(text).translate(str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789"))
    plain = plain.replace(" %", "").replace("< ", "").replace("> ", "")
    return float(re.sub(r"×10", "e", plain))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("n", "seed"), RUNS)
def test_every_option_fills_every_sentence(language: str, n: int, seed: int) -> None:
    words = words_of(language)
    for name, myth in MYTHS.items():
        assert myth.verdict in VERDICTS
        assert set(words.section(f"myths.{name}.options")) == set(myth.options)
        for option in myth.options:
            filled = values(name, n, seed, option)
            for sentence in ("result", "answer"):
                assert "{" not in words(f"myths.{name}.{sentence}", **filled)
                assert "nan" not in words(f"myths.{name}.{sentence}", **filled)


def test_root_with_eight_keys_gives_the_known_means() -> None:
    """.984, .361 and .128 over many rows; these are 400."""
    shown = values("root", 8, 0, "none")
    assert number(shown["none"]) == pytest.approx(0.984, abs=0.012)
    assert number(shown["sqrt"]) == pytest.approx(0.361, abs=0.02)
    assert number(shown["linear"]) == pytest.approx(0.128, abs=0.002)
    assert (shown["uniform"], shown["root"]) == ("0.125", "64")


def test_a_worked_example_changes_mildly() -> None:
    shown = values("small", 64, 0, "3")
    assert 0.05 < number(shown["none"]) - number(shown["sqrt"]) < 0.25
    assert number(shown["sqrt"]) > number(shown["uniform"]) == pytest.approx(1 / 3, abs=1e-3)


@pytest.mark.parametrize(("n", "seed"), RUNS)
def test_what_the_answers_claim_holds(n: int, seed: int) -> None:
    maximum = values("maximum", n, seed, "neither")
    assert maximum["raw"] == maximum["subtracted"]
    assert number(maximum["divided"]) < number(maximum["raw"])
    after = values("after", n, seed, "after")
    assert (after["sum_after"], after["value"]) == ("0.125", "0.125")
    assert number(after["share_after"]) > number(after["share_before"])
    which = values("which_d", n, seed, "model")
    assert number(which["model_effective"]) > number(which["key_effective"])
    assert which["model_spread"] == "0.125"
    assert number(values("both", n, seed, "both")["apart"]) < 1e-12
    for option in ("start", "step"):
        assert number(values("weights", n, seed, option)["value"]) < 1e-12
    still = values("still", n, seed, "0.3")
    assert number(still["aligned"]) > 0.99
    assert number(still["independent"]) == pytest.approx(1 / n, abs=0.04)
    vanish = values("vanish", n, seed, "none")
    assert number(vanish["median"]) < 0.03 * number(vanish["mean"])
    assert number(vanish["dead"]) > 25


def test_one_step_would_differ_without_the_smaller_learning_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """The equality of the steps is not one of two steps too small to matter."""
    from attention_ui import myths

    shown = [myths._weights(8, 0, "step")]
    monkeypatch.setattr(myths, "sqrt", lambda x: 1.0)
    shown.append(myths._weights(8, 0, "step"))
    assert number(shown[0]["step"]) < 1e-12 < 1e-4 < number(shown[1]["step"])


def test_samples_scatter_and_their_mean_nears_the_law() -> None:
    shown = values("sample", 8, 0, "1000")
    assert number(shown["mean"]) == pytest.approx(2, abs=0.15)
    assert number(shown["low"]) == pytest.approx(0.10, abs=0.03)
    assert number(shown["high"]) == pytest.approx(3.7, abs=0.4)
