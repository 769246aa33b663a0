"""A Batch plays itself in the workers of PyTorch's DataLoader, whichever way they are started.

    pip install ".[env]" torch        # in a checkout of Agon
    python examples/learners/dataloader.py
"""

import multiprocessing
from collections.abc import Iterator
from typing import Any

import numpy as np
from agon_arena import Batch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

LIBRARY, KINDS = "torch", ["Batch"]


class SelfPlay(IterableDataset[tuple[Tensor, Tensor]]):
    """Observations and actions of random games. Each worker has a copy of the batch and goes on from there."""

    def __init__(self, game: str, games: int = 64, steps: int = 20, **parameters: Any) -> None:
        # One thread: the workers are what runs side by side.
        self.batch, self.steps = Batch(game, games, threads=1, **parameters), steps

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        worker = get_worker_info()
        # All workers draw from the same seeds: each begins elsewhere in its games.
        self.batch.random_plies(1_000 * worker.id if worker else 0)
        for _ in range(self.steps):
            actions = self.batch.sample()
            # The arrays of a batch are written in place: what is kept is copied.
            yield self.batch.observations.copy(), actions
            self.batch.step(actions)


def attempt(kind: str, game: str, **parameters: Any) -> None:
    """Reads 40 different steps of two workers, started in each way that there is."""
    plays = SelfPlay(game, **parameters)
    for method in multiprocessing.get_all_start_methods():
        loader = DataLoader(plays, batch_size=None, num_workers=2, multiprocessing_context=method, timeout=120)
        assert len({observations.numpy().tobytes() for observations, _ in loader}) == 40


if __name__ == "__main__":
    for name in ("bacteria", "domineering", "renju"):
        attempt("Batch", name)
        print(f"{name}: {', '.join(multiprocessing.get_all_start_methods())}")
