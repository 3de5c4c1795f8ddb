"""The saturation lab by AppTest: every control at its extremes, every pair of extremes, both languages."""

import itertools

import pytest
from streamlit.testing.v1 import AppTest

from attention_ui import saturation_results, saturation_settings
from attention_ui.myths import MYTHS, VERDICTS
from attention_ui.numbers import significant
from attention_ui.saturation_settings import KEYS, MEASURES, ROWS, RULES, SaturationSettings
from attention_ui.text import LANGUAGES, words_of
from tests import sessions
from tests.sessions import html, in_turn, settled, visit

PAGE = "attention_ui/views/saturation.py"
FOUR = ("none", "power", "qknorm", "softcap")
EXTREMES = {
    "d": (1, 4096),
    "n": (KEYS[0], KEYS[-1]),
    "c": (0.0, 1.0),
    "rules": (("none",), FOUR, ("sqrt", "linear", "ssmax", "qknorm")),
    "a": (0.0, 1.0),
    "rows": (ROWS[0], ROWS[-1]),
    "entries": ("normal", "uniform", "signs"),
    "format": ("float64", "float32", "float16"),
    "seed": (0, 9999),
    "measure": (MEASURES[0], MEASURES[-1]),
}
SLOW = {("n", KEYS[-1]), ("rows", ROWS[-1]), ("entries", "uniform"), ("entries", "signs")}  # together over a minute


def lab(language: str = "en", **changes: object) -> AppTest:
    return put(visit("saturation", lang=language), **changes)


def put(app: AppTest, **changes: object) -> AppTest:
    return sessions.put(app, "saturation", **changes)


def drawn(app: AppTest) -> int:
    return len(app.get("vega_lite_chart"))


@pytest.fixture(scope="module")
def english() -> AppTest:
    return lab()


def rows_of_pairs() -> list[dict[str, object]]:
    """Settings in which every pair of extremes occurs, but those that ask for real vectors of the largest size
    twice over: each time the extreme that adds most new pairs is set."""
    extremes = [(name, value) for name, values in EXTREMES.items() for value in values]
    wanted = {
        frozenset(pair)
        for pair in itertools.combinations(extremes, 2)
        if pair[0][0] != pair[1][0] and not set(pair) <= SLOW
    }
    found = []
    while wanted:
        row = dict(sorted(min(wanted, key=sorted_text)))
        for name, values in EXTREMES.items():
            free = [value for value in values if not any({(name, value), item} <= SLOW for item in row.items())]
            new = [sum(frozenset({(name, value), item}) in wanted for item in row.items()) for value in free]
            row.setdefault(name, free[new.index(max(new))])
        wanted -= {frozenset(pair) for pair in itertools.combinations(row.items(), 2)}
        found.append(row)
    return found


def sorted_text(pair: frozenset[tuple[str, object]]) -> list[str]:
    return sorted(map(str, pair))


@pytest.mark.slow
def test_every_pair_of_extremes_in_both_languages(english: AppTest) -> None:
    chinese = lab("zh")
    rows = rows_of_pairs()
    for app, row in zip(itertools.cycle((english, chinese)), rows, strict=False):
        put(app, **vars(SaturationSettings(**row)))
        now, words = app.session_state["saturation"], words_of(app.session_state["settings"].lang)
        assert drawn(app) == (4 if now.c else 3)
        assert all(words(f"rules.{rule}.short") in html(app) for rule in now.rules)
        assert "nan" not in html(app).replace("nance", "")


def test_the_sentences_are_filled_from_the_sweep(english: AppTest) -> None:
    put(english, **vars(SaturationSettings()))
    made = saturation_results.summary(saturation_results.run_of(SaturationSettings()))
    at = saturation_results.place_of(1024)
    for outcome in made.outcomes.values():
        assert significant(float(outcome.figures["concentration"].mean[at])) in html(english)
        assert significant(float(outcome.figures["gradient"].rms[at])) in html(english)
    assert "“Without scaling the gradient vanishes” is half of the truth" in html(english)


def test_half_truths_are_told_only_where_the_run_shows_them(english: AppTest) -> None:
    for changes in ({"d": 1}, {"c": 1.0}, {"rules": ("sqrt",)}):
        put(english, **vars(SaturationSettings(**changes)))
        assert "half of the truth" not in html(english)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "board.theory"),
        ({"measure": "largest"}, "board.no_theory_measure"),
        ({"measure": "effective_keys"}, "board.no_theory_effective"),
        ({"c": 0.5}, "board.no_theory_aligned"),
        ({"entries": "signs", "rows": 50}, "board.no_theory_entries"),
        ({"format": "float16"}, "board.no_theory_format"),
        ({"rules": ("qknorm",)}, "board.no_theory_rule"),
        ({"measure": "dead"}, "board.dead_note"),
    ],
)
def test_the_page_says_where_there_is_theory_and_why_not(
    changes: dict[str, object], said: str, english: AppTest
) -> None:
    put(english, **vars(SaturationSettings(**changes)))
    assert words_of("en")(f"lab.{said}").split("{")[0] in html(english)


def test_a_fifth_rule_and_no_rule_are_refused(english: AppTest) -> None:
    put(english, **vars(SaturationSettings(rules=RULES[:4])))
    for chosen in (list(RULES[:5]), []):
        settled(english.button_group(key="saturation_rules").set_value(chosen).run())
        assert english.session_state["saturation"].rules == RULES[:4]
        assert [toast.value for toast in english.toast] == [words_of("en")("lab.bar.rules_refused", most=4)]
        assert english.button_group(key="saturation_rules").value == list(RULES[:4])
    settled(english.button_group(key="saturation_rules").set_value(["linear", "none"]).run())
    assert english.session_state["saturation"].rules == ("none", "linear")
    assert not english.toast


def test_the_buttons_draw_anew_align_a_key_and_reset(english: AppTest) -> None:
    put(english, **vars(SaturationSettings(seed=9999)))
    settled(english.button(key="saturation_draw").click().run())
    assert english.session_state["saturation"].seed == 0
    settled(english.button(key="align").click().run())
    assert english.session_state["saturation"].c == 0.3
    assert drawn(english) == 4
    settled(english.button(key="saturation_reset").click().run())
    assert english.session_state["saturation"] == SaturationSettings()


@pytest.mark.slow
def test_a_myth_is_answered_after_a_guess(english: AppTest) -> None:
    apps = {"en": put(english, **vars(SaturationSettings())), "zh": lab("zh")}
    for name, language in in_turn(MYTHS):
        app, words, myth = apps[language], words_of(language), MYTHS[name]
        put(app, myth=name)
        assert words("lab.myths.first") in html(app)
        settled(app.button(key=f"myth_check_{name}").click().run())
        settled(app.button_group(key=f"myth_guess_{name}").set_value(VERDICTS[0]).run())
        assert words("lab.myths.first") in html(app)
        settled(app.button(key=f"myth_check_{name}").click().run())
        for guess in VERDICTS:
            settled(app.button_group(key=f"myth_guess_{name}").set_value(guess).run())
            key = "right" if guess == myth.verdict else "wrong"
            assert words(f"lab.myths.{key}", verdict=words(f"lab.verdicts.{myth.verdict}")) in html(app)
        for option in myth.options:
            settled(app.button_group(key=f"myth_try_{name}").set_value(option).run())
            assert words("lab.myths.first") not in html(app)


def test_the_language_changes_no_setting_and_no_guess() -> None:
    app = lab("en", n=8, c=0.3, rules=FOUR, myth="after")
    settled(app.button_group(key="myth_guess_after").set_value("true").run())
    settled(app.button(key="myth_check_after").click().run())
    settled(app.button_group(key="lang").set_value("zh").run())
    now = app.session_state["saturation"]
    assert (now.n, now.c, now.rules, now.myth) == (8, 0.3, FOUR, "after")
    wrong = words_of("zh")("lab.myths.wrong", verdict=words_of("zh")("lab.verdicts.false"))
    assert wrong in html(app)


def test_the_pages_keep_their_own_settings() -> None:
    app = lab("zh", d=64)
    settled(app.switch_page("attention_ui/views/playground.py").run())
    assert app.session_state["settings"].d == "typed"
    settled(app.switch_page(PAGE).run())
    assert app.session_state["saturation"].d == 64
    assert app.select_slider(key="saturation_d").value == 64


def test_the_onset_is_spoken_of_only_where_it_is_one(english: AppTest) -> None:
    said = words_of("en")("lab.board.onset").split("{")[0]
    for changes, told in (({}, True), ({"rules": ("sqrt",)}, False), ({"c": 0.5}, False), ({"n": 2}, False)):
        put(english, **vars(SaturationSettings(**changes)))
        assert (said in html(english)) is told


def test_a_lost_weight_is_spoken_of_only_where_there_is_one(english: AppTest) -> None:
    said = words_of("en")("lab.formats.lost")
    for d, told in ((1, False), (4096, True)):
        put(english, **vars(SaturationSettings(d=d)))
        assert (said in html(english)) is told


def test_hidden_widgets_know_their_setting_without_having_been_told() -> None:
    """A popover's widgets are made in the browser when it opens; what they show then is their own default."""
    app = lab(rows=ROWS[0], entries="uniform", format="float16", seed=7, n=2)
    settled(app.run())
    assert app.select_slider(key="saturation_rows").proto.default == [0]
    entries, formats = app.radio(key="saturation_entries").proto, app.radio(key="saturation_format").proto
    assert (entries.default, formats.default) == (1, 2)
    assert app.number_input(key="saturation_seed").proto.default == 7


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_beyond_the_bound_of_the_work_opens_with_fewer_rows_and_says_so(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saturation_settings, "MOST_WORK", 0.2)  # a bound that is reached soon
    words, app = words_of(language), visit("saturation", lang=language, n="64", rows="2000")
    most = app.session_state["saturation"].rows
    assert most < 2000
    assert app.session_state["summary"].run.rows == most
    assert words("address.too_many_rows", raw="2000", most=most, n=64) in html(app)


def test_a_control_that_makes_it_too_much_takes_rows_away_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    app, words = lab(n=8, rows=2000), words_of("en")
    assert app.select_slider(key="saturation_rows").options == [str(rows) for rows in ROWS]
    monkeypatch.setattr(saturation_settings, "MOST_WORK", 0.2)
    settled(app.select_slider(key="saturation_n").set_value(64).run())
    now = app.session_state["saturation"]
    allowed = saturation_settings.allowed_rows(now)
    assert (now.n, now.rows) == (64, allowed[-1])
    assert app.session_state["summary"].run.rows == now.rows < 2000
    assert [toast.value for toast in app.toast] == [words("lab.bar.rows_fewer", rows=2000, most=now.rows)]
    assert app.select_slider(key="saturation_rows").options == [str(rows) for rows in allowed]
    assert words("lab.bar.rows_most", most=now.rows) in html(app)
    settled(app.run())
    assert not app.toast  # said once
