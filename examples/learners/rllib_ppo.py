"""PPO of RLlib plays and learns with the mask of each position.

    pip install ".[env]" "ray[rllib]" torch        # in a checkout of Agon
    python examples/learners/rllib_ppo.py
"""

from typing import Any

import agon_arena
import numpy as np
from gymnasium.spaces import Box, Dict
from gymnasium.wrappers import FlattenObservation, TransformObservation
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

LIBRARY, KINDS = "ray", ["SinglePlayerEnv"]


def masked(parameters: dict[str, Any]) -> Any:
    """An environment with the mask beside the observation, where RLlib's module looks for one."""
    env = FlattenObservation(agon_arena.SinglePlayerEnv(opponent="random", **parameters))
    spaces = Dict(observations=env.observation_space, action_mask=Box(0, 1, (env.action_space.n,)))
    mask = env.unwrapped.action_masks
    return TransformObservation(
        env, lambda seen: {"observations": seen, "action_mask": mask().astype(np.float32)}, spaces
    )


def learner(**parameters: Any) -> PPO:
    """A player that has not learnt yet, with its games in this process."""
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [256, 256]})
    register_env("agon", masked)
    config = PPOConfig().environment("agon", env_config=parameters).rl_module(rl_module_spec=module)
    config = config.env_runners(num_env_runners=0, num_envs_per_env_runner=4)
    return config.training(train_batch_size=512, minibatch_size=256, num_epochs=2, gamma=1.0).build_algo()


def attempt(kind: str, game: str, **parameters: Any) -> None:
    player = learner(game=game, **parameters)
    player.train()
    player.stop()


if __name__ == "__main__":
    player = learner(game="domineering", rows=4, columns=4)
    for _ in range(5):
        print(player.train()["env_runners"]["episode_return_mean"])
