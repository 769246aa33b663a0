"""PPO of Stable-Baselines3 learns the petri dish, both players with one policy, by vectors of SuperSuit.

    pip install ".[env]" stable-baselines3 supersuit        # in a checkout of Agon
    python examples/learners/supersuit_petri.py
"""

from typing import Any

import agon_arena
import supersuit
from stable_baselines3 import PPO

LIBRARY, KINDS = "supersuit", ["parallel_env"]


def learner(dishes: int = 4, **parameters: Any) -> PPO:
    """A policy that has not learnt yet."""
    envs = supersuit.pettingzoo_env_to_vec_env_v1(agon_arena.parallel_env("petri", **parameters))
    envs = supersuit.concat_vec_envs_v1(envs, dishes, num_cpus=1, base_class="stable_baselines3")
    return PPO("MlpPolicy", envs, n_steps=128, device="cpu")


def attempt(kind: str, game: str, **parameters: Any) -> None:
    learner(2, **parameters).learn(256)


if __name__ == "__main__":
    model = learner(max_cycles=60).learn(8_192)
    dish = agon_arena.parallel_env("petri")
    seen, _ = dish.reset(seed=1)
    while dish.agents:
        actions = {agent: model.predict(seen[agent], deterministic=True)[0] for agent in dish.agents}
        seen, rewards, _, _, infos = dish.step(actions)
    print(rewards, infos["player_0"]["reason"])
