"""The training lab by AppTest: buttons, settings in mid-run, every control at its extremes, both languages."""

import threading

import pytest
from streamlit.testing.v1 import AppTest

from attention_ui.numbers import significant
from attention_ui.text import LANGUAGES, words_of
from attention_ui.training_live import GOOD
from attention_ui.training_settings import D_VALUES, GAINS, MEASURES, RATES, RULES, STEPS, TrainingSettings
from tests import sessions
from tests.sessions import html, in_turn, settled, visit

EXTREMES = {
    "rules": (("none",), RULES),
    "d": (D_VALUES[0], D_VALUES[-1]),
    "rate": (RATES[0], RATES[-1]),
    "gain": (GAINS[0], GAINS[-1]),
    "steps": (STEPS[0], STEPS[-1]),
    "seed": (0, 9999),
    "measure": MEASURES,
    "watch": RULES,
}


def lab(language: str = "en", **changes: object) -> AppTest:
    return put(visit("training", lang=language), **changes)


def put(app: AppTest, **changes: object) -> AppTest:
    return sessions.put(app, "training", **changes)


def step_of(app: AppTest) -> int:
    return app.session_state["live"].step


def to_the_end(app: AppTest) -> AppTest:
    settled(app.button(key="training_start").click().run())
    while app.session_state["live_on"]:
        settled(app.run())
    return app


@pytest.mark.parametrize(("name", "language"), in_turn(EXTREMES))
def test_every_control_at_its_extremes(name: str, language: str) -> None:
    app = lab(language)
    for value in EXTREMES[name]:
        put(app, **{name: value})
        settled(app.button(key="training_step").click().run())
        assert step_of(app) == 1
        assert len(app.get("vega_lite_chart")) == 4
        assert "nan" not in html(app).lower().replace("nance", "")
        settled(app.button(key="training_restart").click().run())


def test_start_pause_step_reset() -> None:
    app = lab()
    settled(app.button(key="training_start").click().run())
    began = step_of(app)
    settled(app.run())
    assert step_of(app) > began > 0
    settled(app.button(key="training_pause").click().run())
    paused = step_of(app)
    settled(app.run())
    settled(app.run())
    assert step_of(app) == paused
    settled(app.button(key="training_step").click().run())
    assert step_of(app) == paused + 1
    settled(app.button(key="training_restart").click().run())
    assert step_of(app) == 0
    assert app.button(key="training_restart").disabled


def test_nothing_works_between_runs_of_the_page() -> None:
    app = lab()
    threads = threading.active_count()
    settled(app.button(key="training_start").click().run())
    at = step_of(app)
    assert threading.active_count() <= threads + 1
    assert not [thread for thread in threading.enumerate() if "train" in thread.name.lower()]
    assert step_of(app) == at


def test_a_setting_in_mid_run_begins_anew_and_goes_on() -> None:
    app = lab()
    settled(app.button(key="training_start").click().run())
    for _ in range(3):
        settled(app.run())
    before = step_of(app)
    settled(app.select_slider(key="training_rate").set_value(RATES[0]).run())
    assert step_of(app) < before
    assert app.session_state["live"].plan.rate == RATES[0]
    settled(app.run())
    assert app.session_state["live_on"]


@pytest.mark.slow
def test_the_end_is_told_rule_by_rule() -> None:
    """At the default, unscaled attention breaks, 1/√d learns and 1/d hardly moves."""
    app, words = to_the_end(lab("zh")), words_of("zh")
    runs = app.session_state["live"].runs
    assert [run.state for run in runs.values()] == ["diverged", "learned", "stuck"]
    assert runs["sqrt"].final_loss < GOOD
    for rule, state in zip(runs, ("diverged", "learned", "ranked"), strict=True):
        start = words(
            f"train.ends.{state}", rule=words(f"rules.{rule}.label"), loss="@", accuracy="", step="", last=20
        ).split("@")[0]
        assert start in html(app)
    settled(app.button(key="training_start").click().run())  # again, from the beginning
    assert 0 < step_of(app) <= 40


def test_an_overflow_is_told_and_shows_no_numbers() -> None:
    app = lab(gain=2.0, rate=30.0, rules=("none",), d=4096)
    from attention_core.training import train
    from attention_ui.training_live import Run

    live = app.session_state["live"]
    live.runs["none"] = Run(train(4096, 1e200, "none", steps=live.plan.steps))
    to_the_end(app)
    assert "the numbers left the range of floats" in html(app)
    assert "nan" not in html(app)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_map_fills_stops_goes_on_and_is_read(language: str) -> None:
    app, words = lab(language, seed=31 + LANGUAGES.index(language), steps=100), words_of(language)
    settled(app.button(key="map_fill").click().run())
    settled(app.button(key="map_stop").click().run())
    stopped = len(app.session_state["map"].cells)
    settled(app.run())
    assert 0 < len(app.session_state["map"].cells) == stopped < 84
    settled(app.button(key="map_fill").click().run())
    while app.session_state["map_on"]:
        settled(app.run())
    assert app.button(key="map_fill").disabled
    made = app.session_state["map"]
    for rule in RULES:
        if not made.common(rule):
            assert words("lab.clause", rule=words(f"rules.{rule}.label"), value=words("train.map.no_rate")) in html(app)
    assert words("train.map.buys") in html(app)
    assert "nan" not in html(app)


def test_the_same_run_twice_prints_rounding() -> None:
    app = lab(rate=1.0)
    settled(app.button(key="same_run").click().run())
    rounding = words_of("en")("train.same.result", steps=50, apart="@").split("@")[1]
    assert rounding in html(app) or words_of("en")("train.same.result_none", steps=50) in html(app)
    assert rounding in html(settled(app.run())) or words_of("en")("train.same.result_none", steps=50) in html(app)
    assert rounding not in html(put(app, d=64, rate=30.0, gain=2.0))
    settled(app.button(key="same_run").click().run())
    assert words_of("en")("train.same.result_chaotic", steps=50, apart="@").split("@")[1] in html(app)


def test_two_visitors_train_on_their_own() -> None:
    one, other = lab(), lab("zh", d=64)
    settled(one.button(key="training_start").click().run())
    settled(other.run())
    assert step_of(other) == 0
    assert step_of(one) > 0


def test_no_rule_at_all_is_refused() -> None:
    app = lab()
    settled(app.button_group(key="training_rules").set_value([]).run())
    assert app.session_state["training"].rules == RULES
    assert [toast.value for toast in app.toast] == [words_of("en")("train.bar.rules_refused")]


def test_reset_all_brings_the_defaults_back() -> None:
    app = lab(d=64, rate=0.1, seed=5, rules=("sqrt",))
    settled(app.button(key="training_reset").click().run())
    assert app.session_state["training"] == TrainingSettings()


def test_what_the_rule_buys_is_said_only_where_the_map_shows_it() -> None:
    """With small first weights no scaling has the wider common range."""
    app, words = lab(gain=0.125, steps=100), words_of("en")
    settled(app.button(key="map_fill").click().run())
    while app.session_state["map_on"]:
        settled(app.run())
    made = app.session_state["map"]
    assert len(made.common("none")) >= len(made.common("sqrt"))
    assert words("train.map.buys") not in html(app)


@pytest.mark.slow
def test_a_run_that_rounding_decides_is_said_to_be_one_of_many() -> None:
    """At the default no scaling is chaotic, and the two others are not."""
    app, words = to_the_end(lab()), words_of("en")
    runs = app.session_state["live"].runs
    assert [rule for rule, run in runs.items() if run.parted] == ["none"]
    told = html(app).split(words("train.run.chaotic").split("{")[0])[1]
    loss, twin = (significant(value, 2) for value in (runs["none"].final_loss, runs["none"].twin_loss))
    assert words("train.run.parted", rule=words("rules.none.label"), loss=loss, twin=twin) in told
    assert words("rules.sqrt.label") not in told.split("</p>")[0].split(".")[0]
    calm = to_the_end(lab(rules=("sqrt",), steps=100))
    assert words("train.run.chaotic").split("{")[0] not in html(calm)


def test_stretches_of_rates_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    from attention_ui import state
    from attention_ui.panels import training_map

    monkeypatch.setattr(state, "words", lambda: words_of("en"))
    assert training_map._rates([0.03, 10.0, 30.0]) == "0.03, 10 – 30"
    assert training_map._rates([0.1, 0.3, 1.0]) == "0.1 – 1"
    assert training_map._rates([]) == "none"


def test_a_few_steps_are_too_early_to_tell() -> None:
    app = lab()
    settled(app.button(key="training_step").click().run())
    assert html(app).count(words_of("en")("train.states.early")) == len(RULES)
