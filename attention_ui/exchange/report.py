"""The present experiment as a report: its settings, every stage with its formula, the figures of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from attention_core import get_example
from attention_ui import captions, results, tokens
from attention_ui.exchange import sheet, sheet_formulas
from attention_ui.exchange.carried import Carried
from attention_ui.exchange.sheet import Html, element, say
from attention_ui.experiment import MATRICES
from attention_ui.numbers import measure
from attention_ui.results import WITH, WITHOUT
from attention_ui.scene import SIGNS, Scene
from attention_ui.stages import PARTS, SPOKEN, STAGES, shown_parts
from attention_ui.text import Words

HIGH = 0.9  # a row whose largest weight is above it looks at little else
LONGEST = 160  # characters of an address that paper shows


def write(carried: Carried, words: Words, address: str | None) -> str:
    """The report as one HTML text; `address` is the link that opens the experiment, None when it fits into none.

    Law: the same experiment, language and address give the same text; tokens and address are never markup.
    """
    scene = scene_of(carried, words)
    sentence = tokens.join(carried.experiment.tokens)
    title = words("sheets.report.title", sentence=sentence)
    parts = [
        element("h1", say(words, "report.title", sentence=sheet.token(sentence))),
        element("p", say(words, "report.lead"), "quiet"),
        settings_list(scene),
        element("h2", say(words, "report.given")),
        _matrices(scene, MATRICES, "row"),
        *_added(scene),
        element("h2", say(words, "report.stages")),
        _matrices(scene, list(STAGES["QKV"].matrices), "row stages"),
        _matrices(scene, [name for name in shown_parts(scene.settings.causal) if name in SPOKEN], "row stages"),
        element("h2", say(words, "report.figures")),
        _figures(scene),
        *_sentences(scene),
        element("h2", say(words, "report.link")),
        _link(words, address),
    ]
    return sheet.page(words, title, parts)


def scene_of(carried: Carried, words: Words) -> Scene:
    """What is carried, with its own row and way to grow where none was chosen."""
    settings, example = carried.settings, get_example(carried.settings.example)
    row = min(example.row if settings.row is None else settings.row, len(carried.experiment.tokens) - 1)
    return Scene(words, replace(settings, how=carried.how, row=row), carried.experiment)


def settings_list(scene: Scene) -> Html:
    """The settings in words."""
    words, settings = scene.words, scene.settings
    sizes = scene.experiment.sizes
    edited = "_edited" if scene.experiment.edited else ""
    grown = "" if scene.d == sizes["d_k"] else "_grown"
    items = {
        "example": say(words, f"settings.example_name{edited}", name=words(f"examples.{settings.example}")),
        "sizes": say(words, "settings.sizes_text", **sizes),
        "rule": scene.rule_label(scene.force),
        "d": say(words, f"settings.d_text{grown}", d=scene.d, typed=sizes["d_k"]),
        **({"growth": words("sheets.join").join(new_columns(scene))} if grown else {}),
        "mask": say(words, f"settings.mask_{'on' if settings.causal else 'off'}"),
    }
    lines = (element("dt", say(words, f"settings.{name}")) + element("dd", text) for name, text in items.items())
    return element("dl", Html("".join(lines)))


def new_columns(scene: Scene) -> list[str]:
    """How the columns beyond the typed ones are made, and with which seed where they are drawn."""
    words, now = scene.words, scene.settings
    seed = [words("take.pictures.seed", seed=now.seed)] if now.how == "independent" else []
    return [words(f"growth.{now.how}"), *seed]


def _matrices(scene: Scene, names: Sequence[str], css: str) -> Html:
    return element("div", Html("".join(_matrix(scene, name) for name in names)), css)


def _matrix(scene: Scene, name: str) -> Html:
    """A matrix under its formula; what is not a letter has a name as well."""
    trace = scene.trace(scene.force)
    caption = sheet_formulas.stage(name, trace.rule.name, scene.settings.causal)
    if name in SPOKEN:
        caption = Html(element("b", say(scene.words, f"matrices.{name}")) + caption)
    return sheet.matrix(
        caption,
        getattr(trace, name),
        scene.decimals,
        [str(i + 1) for i in range(scene.experiment.sizes["d_emb"])] if name.startswith("W") else scene.labels,
        scene.labels if PARTS[name].square else (),
        full=1.0 if name == "weights" else None,
        color=sheet.POSITIVE if name != "weights" else sheet.WITH if scene.settings.scale else sheet.WITHOUT,
        typed=scene.experiment.sizes["d_k"] if "d_k" in PARTS[name].axes else 0,
    )


def _added(scene: Scene) -> Iterator[Html]:
    """That columns were added, where they were."""
    typed = scene.experiment.sizes["d_k"]
    if scene.d > typed:
        key = f"report.added_{scene.settings.how}"
        values = {"typed": typed, "count": scene.d - typed, "d": scene.d, "seed": scene.settings.seed}
        yield element("p", say(scene.words, key, **values), "quiet")


def _figures(scene: Scene) -> Html:
    """Three measures of every row, without scaling and with the rule beside each other."""
    words, names = scene.words, ("largest", "effective", "sensitivity")
    top = "".join(f'<th colspan="2" scope="colgroup">{sheet.safe(words(f"picture.{name}"))}</th>' for name in names)
    labels = [sheet.safe(f"{SIGNS[side]} {scene.rule_label(side)}") for side in scene.rules]
    second = "".join(f'<th scope="col">{label}</th>' for label in labels) * len(names)
    lines = "".join(_figure_row(scene, row, names) for row in range(len(scene.labels)))
    head = f"<thead><tr><td></td>{top}</tr><tr><td></td>{second}</tr></thead>"
    return Html(f'<div class="wide"><table class="figures">{head}<tbody>{lines}</tbody></table></div>')


def _figure_row(scene: Scene, row: int, names: tuple[str, ...]) -> str:
    sides = [results.figures(scene.trace(side).weights[row]) for side in scene.rules]
    cells = "".join(f"<td>{measure(getattr(side, name))}</td>" for name in names for side in sides)
    focus = ' class="focus"' if row == scene.row else ""
    return f'<tr{focus}><th scope="row">{sheet.token(scene.labels[row])}</th>{cells}</tr>'


def _sentences(scene: Scene) -> Iterator[Html]:
    """What the numbers say: of the row in focus, and of all rows but one that has no choice."""
    yield element("p", captions.weights(scene))
    first = 1 if scene.settings.causal else 0  # the row before it sees itself alone
    if len(scene.labels) > 1:
        counts = {side: int((scene.trace(side).weights[first:].max(axis=1) > HIGH).sum()) for side in (WITHOUT, WITH)}
        values = {"limit": HIGH, "n": len(scene.labels) - first, "rule": scene.rule_label(WITH), **counts}
        yield element("p", say(scene.words, "report.high", **values))
    yield element("p", say(scene.words, "report.measures"), "quiet")


def _link(words: Words, address: str | None) -> Html:
    """The address to click and, if it is short enough to be typed, to read on paper; only one of the web can be
    clicked. Where there is none, how a file brings the experiment back."""
    if address is None:
        return element("p", say(words, "report.no_link"))
    text = sheet.safe(address)
    if address.startswith(("https://", "http://")):
        text = Html(f'<a href="{text}">{text if len(address) <= LONGEST else say(words, "report.click")}</a>')
    return element("p", text, "link")
