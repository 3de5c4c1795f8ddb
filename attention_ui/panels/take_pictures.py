"""The playground's charts as pictures: their titles, and the settings in one line."""

from __future__ import annotations

from attention_ui import notices
from attention_ui.exchange.report import new_columns
from attention_ui.panels.stages import open_stages
from attention_ui.results import WITH, WITHOUT
from attention_ui.scene import SIGNS, Scene
from attention_ui.stages import STAGES
from attention_ui.take_along import Chart, picture_saver


def draw(scene: Scene) -> None:
    """A choice of charts and two buttons."""
    words = scene.words
    notices.say(words("take.pictures.lead"), kind="quiet")
    picture_saver(
        [*_weights(scene), *_stages(scene), _curve(scene)], words.section("take.pictures"), key="save_picture"
    )


def settings(scene: Scene, rule: str = "", grows: bool = False) -> str:
    """The settings in one line; the rule in force, or what is said in its place. How the columns grow is said where
    there are new ones."""
    words, now = scene.words, scene.settings
    how, *seed = new_columns(scene)
    new = [words("take.pictures.new", how=how), *seed]
    parts = [
        " ".join(scene.experiment.tokens),
        f"d = {scene.d}",
        rule or scene.rule_label(scene.force),
        words("take.pictures.row", row=scene.query),
        *(new if grows or scene.d > scene.experiment.sizes["d_k"] else []),
    ]
    return " · ".join([*parts, *([words("take.pictures.masked")] if now.causal else [])])


def _weights(scene: Scene) -> list[Chart]:
    """The two heat maps, each under its own rule."""
    title = scene.words("take.pictures.weights")
    return [
        Chart(
            f".st-key-weights_{side}",
            f"{title}: {scene.rule_label(side)}",
            side,
            settings(scene, scene.rule_label(side)),
        )
        for side in (WITHOUT, WITH)
    ]


def _stages(scene: Scene) -> list[Chart]:
    """The heat maps of the open stages, under the rule in force."""
    title = scene.words("take.pictures.stage")
    return [
        Chart(
            f".st-key-cell_{matrix}",
            scene.words("take.pictures.titled", title=title, name=matrix),
            matrix,
            settings(scene),
        )
        for stage in open_stages()
        for matrix in STAGES[stage].matrices
    ]


def _curve(scene: Scene) -> Chart:
    """The curve, with its legend among the settings."""
    measure = scene.settings.measure
    title = scene.words("take.pictures.curve", measure=scene.words(f"picture.{measure}"))
    legend = ", ".join(f"{SIGNS[side]} {scene.rule_label(side)}" for side in (WITHOUT, WITH))
    return Chart(f".st-key-growth_{measure}", title, f"curve_{measure}", settings(scene, legend, grows=True))
