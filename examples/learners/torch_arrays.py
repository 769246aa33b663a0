"""A network of PyTorch reads the arrays of a Batch in place: nothing is copied on the way.

    pip install ".[env]" torch        # in a checkout of Agon
    python examples/learners/torch_arrays.py
"""

import warnings
from typing import Any

import numpy as np
import torch
from agon_arena import Batch

LIBRARY, KINDS = "torch", ["Batch"]


def shared(array: np.ndarray) -> torch.Tensor:
    """A tensor on the memory of an array of a batch. It changes with the next step, and must not be written."""
    with warnings.catch_warnings():
        # PyTorch has no tensors that cannot be written, and warns of every array that cannot.
        warnings.simplefilter("ignore", UserWarning)
        return torch.from_numpy(array)


@torch.no_grad()
def play(game: str, games: int = 64, steps: int = 30, **parameters: Any) -> int:
    """Games that end while an untrained network plays both sides."""
    torch.manual_seed(1)
    batch = Batch(game, games, seed=1, **parameters)
    observations, masks = shared(batch.observations), shared(batch.action_masks)
    assert observations.data_ptr() == batch.observations.__array_interface__["data"][0]
    network = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(observations[0].numel(), batch.actions))
    ended = 0
    for _ in range(steps):
        # The tensors show the new positions after each step: there is nothing to fetch.
        logits = network(observations).masked_fill(masks == 0, -torch.inf)
        batch.step(torch.distributions.Categorical(logits=logits).sample().numpy())
        ended += int(batch.terminated.sum())
        np.testing.assert_array_equal(observations.numpy(), batch.observations)
    return ended


def attempt(kind: str, game: str, **parameters: Any) -> None:
    play(game, **parameters)


if __name__ == "__main__":
    for name in ("bacteria", "domineering", "renju"):
        print(f"{name}: {play(name)} games ended")
