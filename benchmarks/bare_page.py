"""The page the lab is compared with: one slider, one heat map, nothing else, and the whole script run each time."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

TOKENS = ("I", "love", "AI")
PLACE = {
    "x": {"field": "key", "type": "nominal", "sort": None},
    "y": {"field": "query", "type": "nominal", "sort": None},
}
SPEC = {
    "height": {"step": 34},
    "layer": [
        {
            "mark": {"type": "rect"},
            "encoding": {
                **PLACE,
                "fillOpacity": {"field": "weight", "type": "quantitative", "scale": {"domain": [0, 1]}, "legend": None},
            },
        },
        {"mark": {"type": "text"}, "encoding": {**PLACE, "text": {"field": "weight", "format": ".3f"}}},
    ],
    "usermeta": {"embedOptions": {"renderer": "svg"}},
}


def weights(d: int) -> pd.DataFrame:
    """Three rows of softmax weights, others for each d."""
    p = np.exp(np.random.default_rng(d).standard_normal((3, 3)))
    p /= p.sum(axis=1, keepdims=True)
    return pd.DataFrame({"query": np.repeat(TOKENS, 3), "key": np.tile(TOKENS, 3), "weight": p.ravel()})


size = st.slider("d", 1, 64, 32, key="d")
with st.container(key="weights"):
    st.vega_lite_chart(weights(size), SPEC)
