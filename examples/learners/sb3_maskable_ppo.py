"""MaskablePPO of sb3-contrib learns Bacteria War against `random`, with 16 games at once.

    pip install ".[env]" sb3-contrib        # in a checkout of Agon; PyTorch comes with it, some gigabytes
    python examples/learners/sb3_maskable_ppo.py
"""

import sys
import time
from typing import Any

import agon_arena
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

LIBRARY, KINDS = "sb3-contrib", ["SinglePlayerEnv"]


def learner(games: int, classes: Any = DummyVecEnv, **parameters: Any) -> MaskablePPO:
    """A player that has not learnt yet. Masks come from the method `action_masks` of the environment."""
    parameters["opponent"] = "random"
    envs = make_vec_env(agon_arena.SinglePlayerEnv, games, seed=1, vec_env_cls=classes, env_kwargs=parameters)
    settings = {"n_steps": 128, "batch_size": 256, "n_epochs": 6, "learning_rate": 1e-3, "ent_coef": 0.01}
    net = {"net_arch": [256, 256]}
    return MaskablePPO("MlpPolicy", envs, seed=1, gamma=1.0, policy_kwargs=net, device="cpu", **settings)


def train(steps: int = 50_000) -> agon_arena.MatchResult:
    """A match against `random` after this number of steps."""
    torch.set_num_threads(1)
    model = learner(16, game="bacteria").learn(steps)

    def ppo(position: agon_arena.Position) -> int:
        seen, mask = position.observation(), position.action_mask()
        return int(model.predict(seen, action_masks=mask, deterministic=True)[0])

    return agon_arena.match(ppo, "random", game="bacteria", games=100, jobs=1)


def attempt(kind: str, game: str, **parameters: Any) -> None:
    """Learns a little, with games in this process and in others."""
    for classes in (DummyVecEnv, SubprocVecEnv):
        learner(2, classes, game=game, **parameters).learn(256).get_env().close()


if __name__ == "__main__":
    begun = time.time()
    result = train()
    print(f"{result}, {time.time() - begun:.0f} s")
    sys.exit(result.wins < 65)
