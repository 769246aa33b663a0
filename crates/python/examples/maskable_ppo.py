"""Stable-Baselines3's MaskablePPO learns domineering on 4 x 4 boards, with the first move, against `greedy`.

    pip install ".[env]" sb3-contrib    # in a checkout of Agon; PyTorch comes with it, some gigabytes
    python crates/python/examples/maskable_ppo.py 100000

The number is how many steps it learns. It prints how many of 200 games the player wins before and after, on boards that
it has not learnt from. On larger boards it wins hardly a game: `greedy` seldom errs there, and a network does not look
ahead.
"""

import sys
from typing import Any

from agon_arena import SinglePlayerEnv
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

GAME: dict[str, Any] = {"game": "domineering", "opponent": "greedy", "rows": 4, "columns": 4, "seat": 0}


def wins(model: MaskablePPO, games: int = 200) -> int:
    """Games that the player wins, of boards it has not learnt from."""
    env, won = SinglePlayerEnv(**GAME), 0
    for game in range(games):
        seen, _ = env.reset(seed=1_000_000 + game)
        over, reward = False, 0.0
        while not over:
            action, _ = model.predict(seen, action_masks=env.action_masks(), deterministic=True)
            seen, reward, over, _, _ = env.step(int(action))
        won += reward > 0
    return won


def learner(steps: int) -> MaskablePPO:
    """A player after this number of steps."""
    # Sixteen games at once fill a batch of the network sooner than one.
    envs = make_vec_env(SinglePlayerEnv, n_envs=16, seed=1, env_kwargs=GAME)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        seed=1,
        n_steps=128,
        batch_size=512,
        n_epochs=6,
        gamma=1.0,
        learning_rate=1e-3,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
    )
    return model.learn(steps) if steps else model


if __name__ == "__main__":
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    before, after = wins(learner(0)), wins(learner(steps))
    print(f"wins of 200 games against greedy: {before} before, {after} after {steps} steps")
