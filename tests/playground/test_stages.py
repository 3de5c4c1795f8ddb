"""The sentence of a stage is the rule's own."""

import pytest

from attention_core import SCALINGS, Scaling, get_scaling
from attention_ui import results
from attention_ui.address import Settings
from attention_ui.experiment import from_example
from attention_ui.panels import stages
from attention_ui.scene import Scene
from attention_ui.text import LANGUAGES, words_of


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
