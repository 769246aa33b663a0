"""Small networks of Bacteria War, trained by PyTorch or numpy and played by the champion's search.

A network sees features: windows of the board and a few numbers, each present or absent, in the view of the side to move
and in that of the other side. The hidden layer has two halves, one for each view, of the same weights:

    half(view) = clip(bias + sum of rows[feature] over the view's features, 0, 1)
    output     = sum(w[:h] * half(mover)**2) + sum(w[h:] * half(other)**2) + b

with `w` and `b` of the position's stage. An output of x means a chance of 1 / (1 + exp(-x)) to win, and x * scale
hundredths of a cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agon_arena import _native
from agon_arena._native import AgonError, Net

ONE = 127
"""Number that represents 1.0 in rows of 8 bits and in the hidden layer."""

MAX_WEIGHT = 127
"""Largest output weight in whole numbers."""


def net_features(boards: Any) -> tuple[np.ndarray, np.ndarray]:
    """Computes the features of boards int8 (n, 7, 7), with 1 for cells of the side to move and -1 for the other's.

    Returns numbers of features int32 (n, 2, k), the mover's view first, filled up with -1, and stages int64 (n,).
    """
    array = np.asarray(boards)
    if array.ndim != 3 or array.shape[1:] != (7, 7) or array.dtype.kind not in "iu":
        raise AgonError(f"boards: whole numbers of shape (n, 7, 7) expected, not {array.dtype} of {array.shape}")
    return _native.net_features(np.ascontiguousarray(array, np.int8))


def _numbers(array: Any) -> np.ndarray:
    """Converts an array or a PyTorch tensor to numpy."""
    if hasattr(array, "detach"):
        array = array.detach().cpu().numpy()
    return np.asarray(array, np.float64)


def quantise(
    rows: Any,
    bias: Any,
    outputs: Any,
    output_bias: Any,
    *,
    scale: int = 400,
    provenance: str = "",
) -> Net:
    """Converts floating-point weights of numpy or PyTorch to a network in whole numbers.

    `rows` (features, h), `bias` (h,), `outputs` (stages, 2 h), `output_bias` (stages,); h is a multiple of 32. Rows
    are clipped to +-1, as the hidden layer is at 1 anyway.
    """
    rows, bias, outputs, output_bias = (_numbers(array) for array in (rows, bias, outputs, output_bias))
    given = (("rows", rows, 2), ("bias", bias, 1), ("outputs", outputs, 2), ("output_bias", output_bias, 1))
    for name, array, dimensions in given:
        if array.ndim != dimensions or not np.isfinite(array).all():
            raise AgonError(f"{name} of shape {array.shape}: finite numbers in {dimensions} dimensions expected")
    largest = float(np.abs(outputs).max(initial=0.0))
    # The finest steps that the largest weight allows, in a power of two.
    weight_one = int(np.clip(2 ** np.floor(np.log2(MAX_WEIGHT / max(largest, 1e-3))), 1, 1 << 16))
    whole = np.clip(np.rint(outputs * weight_one), -MAX_WEIGHT, MAX_WEIGHT).astype(np.int16)
    return Net.make(
        np.clip(np.rint(rows * ONE), -ONE, ONE).astype(np.int16),
        np.clip(np.rint(bias * ONE), -32_000, 32_000).astype(np.int16),
        whole,
        np.rint(output_bias * ONE * weight_one).astype(np.int32),
        weight_one=weight_one,
        scale=scale,
        provenance=provenance,
    )


def network_value(net: Net, boards: Any) -> np.ndarray:
    """Computes a network's values of boards (n, 7, 7) for the side to move with numpy in whole numbers, in
    hundredths of a cell: the reference for the search's value."""
    arrays = net.arrays()
    if arrays["images"] != 1 or arrays["points"]:
        raise AgonError("a network of one image and without points expected")
    features, stages = net_features(boards)
    one, hidden = net.one, len(arrays["bias"])
    rows = np.vstack([arrays["rows"].astype(np.int64), np.zeros((1, hidden), np.int64)])
    halves = np.clip(arrays["bias"] + rows[features].sum(axis=2), 0, one)
    layer = halves.reshape(len(stages), 2 * hidden)
    total = (layer * layer * arrays["outputs"].astype(np.int64)[stages]).sum(axis=1)
    output = np.trunc(total / one).astype(np.int64) + arrays["output_bias"][stages]
    values: np.ndarray = np.trunc(output * arrays["scale"] / (one * arrays["weight_one"])).astype(np.int64)
    return values
