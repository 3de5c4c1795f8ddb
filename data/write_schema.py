"""Write the lists in experiment.schema.json as they are now read, say after a rule was added:

    python -m data.write_schema

Everything else in the schema is written by hand.
"""

from __future__ import annotations

import json
from pathlib import Path

from attention_core import EXAMPLES
from attention_core.growth import HOWS
from attention_ui import address
from attention_ui.stages import STAGES

SCHEMA = Path(__file__).with_name("experiment.schema.json")
LISTS = {
    "rule": address.RULES,
    "d": address.D_CODES,
    "how": HOWS,
    "stage": STAGES,
    "measure": address.MEASURES,
}


def written() -> str:
    """The schema's text with the lists of today."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    properties = schema["properties"]
    properties["example"]["enum"] = list(EXAMPLES)
    for name, allowed in LISTS.items():
        properties["settings"]["properties"][name]["enum"] = list(allowed)
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(written(), encoding="utf-8")
