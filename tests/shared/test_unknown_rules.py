"""A rule or stage that a part does not know is an error there, never shown as another one."""

import numpy as np
import pytest

from attention_core import Scaling, get_example, get_scaling, self_attention
from attention_ui import arithmetic, results, saturation_frames
from attention_ui.address import Settings
from attention_ui.exchange import exercise_scaling, sheet_formulas, snippet_numpy, snippet_torch
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.exercise_facts import Facts
from attention_ui.experiment import from_example
from attention_ui.results import Grown
from attention_ui.saturation_results import run_of, summary
from attention_ui.saturation_settings import SaturationSettings
from attention_ui.scene import Scene
from attention_ui.text import words_of

LOVE = get_example("love")


class Halved(Scaling):
    """A rule of a later day: half of QK-norm, by the same lengths."""

    name = "halved"
    latex = r"\frac{\cos(q, k)}{2}"
    source = "this test"
    only_multiplies = False
    uses_lengths = True

    def scaled(self, scores, given):
        return np.asarray(get_scaling("qknorm", g=0.5).scaled(scores, given))


def test_its_arithmetic_is_no_other_rules() -> None:
    trace = self_attention(LOVE.X, LOVE.W_Q, LOVE.W_K, LOVE.W_V, Halved())
    with pytest.raises(KeyError, match="halved"):
        arithmetic.lines("scaled", 0, 1, trace, 3)
    assert arithmetic.lines("weights", 0, 1, trace, 3)  # which needs no rule


def test_the_arithmetic_of_an_unknown_stage_is_no_other_stages() -> None:
    trace = self_attention(LOVE.X, LOVE.W_Q, LOVE.W_K, LOVE.W_V)
    with pytest.raises(ValueError, match="logits"):
        arithmetic.lines("logits", 0, 1, trace, 3)


@pytest.fixture
def in_force(monkeypatch: pytest.MonkeyPatch) -> Carried:
    """The worked example under the rule."""
    monkeypatch.setattr(results, "rule_of", lambda settings: Halved())
    return Carried(from_example("love"), Settings(lang="en", how="independent", row=0))


def test_no_program_no_formula_and_no_question_takes_it_for_another(in_force: Carried) -> None:
    scene = Scene(words_of("en"), in_force.settings, in_force.experiment)
    for write in (snippet_numpy.attend, snippet_torch.attend):
        with pytest.raises(KeyError, match="halved"):
            write(in_force)
    with pytest.raises(KeyError, match="halved"):
        sheet_formulas.rule("halved")
    with pytest.raises(KeyError, match="halved"):
        scene.rule_label("with")
    with pytest.raises(KeyError, match="halved"):
        exercise_scaling.question(Facts(scene))


def test_what_a_rule_needs_is_asked_of_the_rule_not_of_its_name() -> None:
    """The curve of a rule by lengths is that of the trace, and it has no band."""
    experiment = from_example("random_8")
    curves = results.curves(Grown(experiment, Halved(), 8, 2, "independent", False), 4)
    assert curves.bands is None
    for d in (8, 4096):
        place = int(np.flatnonzero(curves.d_values == d)[0])
        wanted = results.trace(Grown(experiment, Halved(), d, 2, "independent", False)).weights[4]
        np.testing.assert_allclose(curves.weights["with"][place], wanted, atol=1e-9)


def test_an_unknown_measure_is_not_drawn_as_the_share_of_zeros() -> None:
    made = summary(run_of(SaturationSettings(n=4, rows=50, rules=("sqrt",))))
    with pytest.raises(KeyError, match="spread"):
        saturation_frames.lines(made, "spread", 64, {"sqrt": "root"}, None, "")
