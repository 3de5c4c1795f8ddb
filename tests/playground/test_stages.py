"""One row a stage: its axes are those of what is computed, its formulas agree, its sentence is the rule's own."""

import html
import re

import pytest

from attention_core import SCALINGS, Scaling, get_example, get_scaling, self_attention
from attention_ui import experiment, results
from attention_ui.address import Settings
from attention_ui.exchange import sheet_formulas, tables
from attention_ui.exchange.carried import Carried
from attention_ui.experiment import from_example
from attention_ui.panels import stages
from attention_ui.scene import Scene
from attention_ui.stages import GIVEN, PARTS, SPOKEN, STAGES, shown_parts, shown_stages
from attention_ui.text import LANGUAGES, words_of

READ = {
    r"\\dfrac|\\begin\{cases\}|\\end\{cases\}|\\\\|\\,|\^|[&{}_\s]": "", r"\\top": "⊤", r"\\infty": "∞", r"\\sum": "∑",
    r"\\le": "≤", "-": "−", r"\\cdot": "·",
}  # fmt: skip


def read(formula: str) -> str:
    """A LaTeX formula in the order in which it is read."""
    for sign, read_as in READ.items():
        formula = re.sub(sign, read_as, formula)
    return formula


def test_the_stages_and_their_matrices_in_the_order_of_the_address_and_the_files() -> None:
    assert list(STAGES) == ["X", "QKV", "scores", "scaled", "masked", "weights", "output"]
    assert list(PARTS) == [
        *["X", "W_Q", "W_K", "W_V", "Q", "K", "V", "scores", "scaled", "masked", "weights", "output"]
    ]
    assert experiment.MATRICES == tuple(GIVEN) == ("X", "W_Q", "W_K", "W_V")
    assert SPOKEN == ("scores", "scaled", "masked", "weights", "output")


def test_the_mask_is_a_stage_while_there_is_one() -> None:
    assert shown_stages(causal=True) == list(STAGES)
    assert shown_parts(causal=True) == list(PARTS)
    for shown, every in ((shown_stages(causal=False), STAGES), (shown_parts(causal=False), PARTS)):
        assert shown == [name for name in every if name != "masked"]


@pytest.mark.parametrize("name", PARTS)
def test_the_axes_are_those_of_the_matrix(name: str) -> None:
    love = get_example("love")
    tall = (love.W_Q[:, :2], love.W_K[:, :2], love.W_V[:, :1])  # so that no two sizes are the same
    trace, sizes = self_attention(love.X, *tall, "sqrt", True), {"tokens": 3, "d_emb": 4, "d_k": 2, "d_v": 1}
    assert getattr(trace, name).shape == tuple(sizes[axis] for axis in PARTS[name].axes)
    assert PARTS[name].square == (PARTS[name].axes == ("tokens", "tokens"))


@pytest.mark.parametrize("name", [name for name in PARTS if name != "X"])
@pytest.mark.parametrize("s", ["s", "m"])
def test_the_formulas_on_the_page_and_on_paper_read_the_same(name: str, s: str) -> None:
    latex = PARTS[name].in_latex(rule=r"q \cdot k", s=s)
    mathml = PARTS[name].in_mathml(rule="q·k", s=s)
    assert html.unescape(re.sub("<.*?>|{", "", mathml)) == read(latex)


def test_the_size_of_x_is_said_on_the_page() -> None:
    assert PARTS["X"].in_latex(n=3, d_emb=4) == r"X \in \mathbb{R}^{3 \times 4}"
    with pytest.raises(KeyError, match="d_emb"):
        PARTS["X"].in_latex(n=3)


def test_an_unknown_stage_is_no_other_one() -> None:
    carried = Carried(from_example("love"), Settings())
    scene = Scene(words_of("en"), Settings(lang="en", how="independent", row=0), from_example("love"))
    for ask in (
        lambda: sheet_formulas.stage("logits", "sqrt", False),
        lambda: stages._formula(scene, "logits"),
        lambda: stages._stage(scene, "logits"),
        lambda: stages._sentence(scene, "logits"),
    ):
        with pytest.raises(KeyError, match="logits"):
            ask()
    with pytest.raises(AttributeError, match="logits"):
        tables.table(carried, "logits")


def sentence(language: str, rule: str) -> str:
    scale = {"scale": False} if rule == "none" else {"rule": rule}
    settings = Settings(lang=language, how="independent", row=0, **scale)
    return stages._sentence(Scene(words_of(language), settings, from_example("love")), "scaled")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", list(SCALINGS))
def test_only_a_rule_that_multiplies_is_said_to_keep_the_order_of_scores(rule: str, language: str) -> None:
    words = words_of(language)
    usual = sentence(language, rule) == words("stages.scaled_text", rule=words(f"rules.{rule}.name"))
    assert usual == (rule != "none" and get_scaling(rule).only_multiplies)


def test_a_rule_without_a_sentence_of_its_own_does_not_get_anothers(monkeypatch: pytest.MonkeyPatch) -> None:
    class Doubled(Scaling):
        name = "linear"  # which has words, but not for this
        only_multiplies = False

    monkeypatch.setattr(results, "rule_of", lambda settings: Doubled())
    with pytest.raises(KeyError, match=r"rules\.linear\.scaled"):
        sentence("en", "linear")
