"""The published schema and what is written agree, and its lists are those that are read."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given

from attention_core import EXAMPLES
from attention_core.growth import HOWS
from attention_ui import address, tokens
from attention_ui.exchange import document, json_file
from attention_ui.exchange.checks import LARGEST_DRAW
from attention_ui.experiment import LARGEST_ENTRY, LARGEST_SIZE, MATRICES
from tests.exchange_cases import LOVE, carrieds

SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "experiment.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
PROPERTIES = SCHEMA["properties"]


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@given(carrieds())
def test_what_is_written_fits_the_schema(carried):
    VALIDATOR.validate(json.loads(json_file.write(carried)))


def test_its_lists_and_limits_are_those_that_are_read():
    settings = PROPERTIES["settings"]["properties"]
    lists = {name: tuple(each["enum"]) for name, each in settings.items() if "enum" in each}
    assert lists == {
        "scale": ("on", "off"),
        "rule": address.RULES,
        "d": address.D_CODES,
        "how": HOWS,
        "causal": ("on", "off"),
        "stage": address.STAGES,
        "show_all": ("on", "off"),
        "measure": address.MEASURES,
    }
    assert tuple(settings) == document.SETTINGS
    assert PROPERTIES["example"]["enum"] == list(EXAMPLES)
    assert (PROPERTIES["format"]["const"], PROPERTIES["version"]["const"]) == (document.FORMAT, document.VERSION)
    assert list(PROPERTIES) == list(document.write(LOVE))
    matrix, words = SCHEMA["$defs"]["matrix"], PROPERTIES["tokens"]
    assert (matrix["maxItems"], matrix["items"]["maxItems"]) == (LARGEST_SIZE, LARGEST_SIZE)
    assert matrix["items"]["items"]["maximum"] == -matrix["items"]["items"]["minimum"] == LARGEST_ENTRY
    assert (words["maxItems"], words["items"]["maxLength"]) == (tokens.MOST_TOKENS, tokens.LONGEST_TOKEN)
    for part in ("matrices", "fresh", "seeds"):
        assert tuple(PROPERTIES[part]["properties"]) == MATRICES
    assert PROPERTIES["seeds"]["properties"]["X"]["maximum"] == LARGEST_DRAW


@pytest.mark.parametrize(
    "part",
    [
        {"version": 2},
        {"lang": "zh"},
        {"tokens": []},
        {"settings": {"rule": "cube"}},
        {"matrices": {}},
        {"seeds": {"Q": 1}},
    ],
)
def test_what_is_refused_does_not_fit_it_either(part):
    assert not VALIDATOR.is_valid(document.write(LOVE) | part)
