"""Whether an uploaded head's weights are those that its file expects, in a sentence."""

from __future__ import annotations

from attention_core.head_agreement import Agreement
from attention_ui import notices
from attention_ui.head_scene import HeadScene
from attention_ui.numbers import fixed

USUAL = "sqrt"  # the rule with which the page opens


def warn(scene: HeadScene) -> None:
    """Above the pictures, where under the usual rule they are not what the model did."""
    found = _of(scene)
    if found is None or (found.agrees and found.rule == USUAL):
        return
    sentences = [_sentence(scene, found)]
    if not found.agrees:
        key = "why_bias" if scene.head.pos_bias is None else "why"
        sentences.append(scene.words(f"head.agreement.{key}"))
    notices.warn(scene.words("page.between").join(sentences))


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
