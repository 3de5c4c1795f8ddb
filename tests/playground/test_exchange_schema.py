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
from attention_ui.exchange.problems import ExchangeProblem
from attention_ui.experiment import LARGEST_ENTRY, LARGEST_SIZE, MATRICES
from attention_ui.stages import STAGES
from data import write_schema
from tests.playground.exchange_cases import LOVE, carrieds
from tests.playground.exchange_documents import BAD_DOCUMENTS

PATH = Path(__file__).parents[2] / "data" / "experiment.schema.json"
SCHEMA = json.loads(PATH.read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
PROPERTIES = SCHEMA["properties"]


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@given(carrieds())
def test_what_is_written_fits_the_schema(carried):
    VALIDATOR.validate(json.loads(json_file.write(carried)))


def test_its_lists_are_up_to_date():
    assert PATH.read_text(encoding="utf-8") == write_schema.written(), "run python -m data.write_schema"


def test_its_lists_and_limits_are_those_that_are_read():
    settings = PROPERTIES["settings"]["properties"]
    lists = {name: tuple(each["enum"]) for name, each in settings.items() if "enum" in each}
    assert lists == {
        "scale": ("on", "off"),
        "rule": address.RULES,
        "d": address.D_CODES,
        "how": HOWS,
        "causal": ("on", "off"),
        "stage": tuple(STAGES),
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


BEYOND = {  # what its description leaves to the reader
    "version 1.0",
    "a row that is not there",
    "a parameter too much",
    "a parameter out of range",
    "a token of two characters",
    "an invisible token",
    "half a surrogate pair",
    "NaN",  # which is no JSON at all
    "another number of tokens",
    "ragged",
    "W_K of another width",
    "marks of another shape",
}


@pytest.mark.parametrize("name", BAD_DOCUMENTS)
def test_what_is_refused_does_not_fit_it_either(name):
    assert VALIDATOR.is_valid(BAD_DOCUMENTS[name][0]) == (name in BEYOND)


@pytest.mark.parametrize(("name", "value"), [
    (name, value)
    for name, values in {
        "row": ("0", "1", "3", "01", "17", "1.0", "", "-1"),
        "seed": ("0", "9999", "10000", "00012", "1.0", "+1", ""),
        "decimals": ("0", "6", "7", "03", "3.0", ""),
        "param": ("0", "0.25", "00.25", "0.12345", ".5", "1.", "-0", ""),
        "d": ("64", "064", "typed", "65"),
        "scale": ("on", "true", "ON"),
    }.items()
    for value in values
])  # fmt: skip
def test_a_setting_fits_it_exactly_when_it_is_read(name, value):
    raw = document.write(LOVE) | {"settings": {"rule": "power", name: value}}
    try:
        document.read(raw)
    except ExchangeProblem:
        assert not VALIDATOR.is_valid(raw)
    else:
        assert VALIDATOR.is_valid(raw)
