"""A function of JAX reads the arrays of a Batch in place on a CPU; what is kept is copied.

    pip install ".[env]" jax        # in a checkout of Agon
    python examples/learners/jax_arrays.py

JAX takes over the memory of arrays that begin at a multiple of 64 bytes, as all arrays of a batch do, and believes that
they never change. So a value of `jax.device_put(batch.observations)` changes with the next step, and a function whose
result is not waited for may read the next position: end each use with `block_until_ready`, or copy.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from agon_arena import Batch

LIBRARY, KINDS = "jax", ["Batch"]


@jax.jit
def choose(key: jax.Array, weights: jax.Array, observations: jax.Array, masks: jax.Array) -> jax.Array:
    """Actions of a network of one layer, drawn among those that are legal."""
    logits = observations.reshape(len(observations), -1) @ weights
    return jax.random.categorical(key, jnp.where(masks == 1, logits, -jnp.inf))


def play(game: str, games: int = 64, steps: int = 30, **parameters: Any) -> int:
    """Games that end while an untrained network plays both sides."""
    batch = Batch(game, games, seed=1, **parameters)
    shared, kept = jax.device_put(batch.observations), jnp.array(batch.observations, copy=True)
    before = batch.observations.copy()
    key, weights = jax.random.key(1), jnp.zeros((before[0].size, batch.actions))
    ended = 0
    for _ in range(steps):
        key, draw = jax.random.split(key)
        # `np.asarray` waits for the result, so that nothing reads the arrays while they are written.
        actions = np.asarray(choose(draw, weights, batch.observations, batch.action_masks))
        batch.step(actions)
        ended += int(batch.terminated.sum())
    np.testing.assert_array_equal(kept, before)
    np.testing.assert_array_equal(np.asarray(shared), batch.observations)
    return ended


def attempt(kind: str, game: str, **parameters: Any) -> None:
    play(game, **parameters)


if __name__ == "__main__":
    for name in ("bacteria", "domineering", "renju"):
        print(f"{name}: {play(name)} games ended")
