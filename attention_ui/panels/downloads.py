"""The tables behind the saturation lab's charts, to take away as CSV."""

from __future__ import annotations

from functools import partial

import streamlit as st

from attention_ui import saturation_tables
from attention_ui.saturation_scene import SaturationScene


def download(scene: SaturationScene, *names: str) -> None:
    """One button a table; the file is written when it is asked for."""
    words, run, d = scene.words, scene.run, scene.settings.d
    with st.container(horizontal=True, gap="small"):
        for name in names:
            st.download_button(
                words("lab.download", table=words(f"lab.files.{name}")),
                partial(saturation_tables.csv, run, name, d),
                file_name=saturation_tables.file_name(run, name, d),
                mime="text/csv",
                key=f"download_{name}",
                icon=":material/download:",
                type="tertiary",
                on_click="ignore",
            )
