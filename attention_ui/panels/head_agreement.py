"""Whether an uploaded head's weights are those that its file expects, in a sentence."""

from __future__ import annotations

from attention_core.head_agreement import Agreement
from attention_ui import notices
from attention_ui.head_scene import HeadScene
from attention_ui.numbers import fixed


def warn(scene: HeadScene) -> None:
    """Above the pictures, where they are not what the model did."""
    found = _of(scene)
    if found is not None and not found.agrees:
        notices.warn(_sentence(scene, found), [scene.words("head.agreement.why")])


def told(scene: HeadScene) -> list[str]:
    """Beside the file: that the weights agree, to how many decimals and under which rule; or how far they differ."""
    found = _of(scene)
    return [] if found is None else [_sentence(scene, found)]


def _of(scene: HeadScene) -> Agreement | None:
    return None if scene.shown is None else scene.shown.agreement


def _sentence(scene: HeadScene, found: Agreement) -> str:
    if found.agrees:
        return scene.words(f"head.agreement.agrees_{found.rule}", decimals=found.decimals)
    return scene.words(
        "head.agreement.differs", rule=scene.words(f"head.agreement.{found.rule}"), largest=fixed(found.largest, 3),
        query=scene.names[found.row], key=scene.names[found.key], computed=fixed(found.computed, 3),
        expected=fixed(found.expected, 3), other=found.other_top, rows=found.rows,
    )  # fmt: skip
