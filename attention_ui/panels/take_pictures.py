"""The playground's charts as pictures: their titles, and the settings in one line."""

from __future__ import annotations

from attention_ui import notices
from attention_ui.panels.stages import STAGES, open_stages
from attention_ui.results import WITH, WITHOUT
from attention_ui.scene import Scene
from attention_ui.take_along import picture_saver


def draw(scene: Scene) -> None:
    """A choice of charts and two buttons."""
    words = scene.words
    notices.say(words("take.pictures.lead"), kind="quiet")
    picture_saver(_charts(scene), settings(scene), words.section("take.pictures"), key="save_picture")


def settings(scene: Scene) -> str:
    """The settings in one line."""
    words, now = scene.words, scene.settings
    line = words(
        "take.pictures.settings", example=" ".join(scene.experiment.tokens), d=scene.d,
        rule=scene.rule_label(scene.force), row=scene.query, how=words(f"growth.{now.how}"), seed=now.seed,
    )  # fmt: skip
    return f"{line} · {words('take.pictures.masked')}" if now.causal else line


def _charts(scene: Scene) -> list[dict[str, str]]:
    """Where each chart stands on the page, its title and the name of its file."""
    words = scene.words
    found = [
        {"selector": ".st-key-weights_without", "title": words("take.pictures.without"), "file": WITHOUT},
        {
            "selector": ".st-key-weights_with",
            "title": words("take.pictures.with", rule=scene.rule_label(WITH)),
            "file": WITH,
        },
    ]
    for stage in open_stages():
        for matrix in STAGES[stage]:
            title = words("take.pictures.stage", name=matrix)
            found.append({"selector": f".st-key-cell_{matrix}", "title": title, "file": matrix})
    measure = scene.settings.measure
    title = words("take.pictures.curve", measure=words(f"picture.{measure}"))
    return [*found, {"selector": f".st-key-growth_{measure}", "title": title, "file": f"curve_{measure}"}]
