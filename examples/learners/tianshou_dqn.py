"""DQN of Tianshou learns domineering on 4 × 4 points against `random`.

    pip install ".[env]" tianshou        # in a checkout of Agon; PyTorch comes with it, some gigabytes
    python examples/learners/tianshou_dqn.py
"""

import sys
import time
from typing import Any

import agon_arena
import numpy as np
import torch
from gymnasium.spaces import Box, Dict
from gymnasium.wrappers import TransformObservation
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

LIBRARY, KINDS = "tianshou", ["SinglePlayerEnv", "env"]


def masked(**parameters: Any) -> Any:
    """An environment with the mask beside the observation, where Tianshou looks for one."""
    env = agon_arena.SinglePlayerEnv(opponent="random", **parameters)
    spaces = Dict(obs=env.observation_space, mask=Box(0, 1, (env.action_space.n,), np.int8))
    return TransformObservation(env, lambda seen: {"obs": seen, "mask": env.action_masks()}, spaces)


def learn(games: int, steps: int, **parameters: Any) -> DQN:
    """A player after this number of steps."""
    envs = DummyVectorEnv([lambda: masked(**parameters)] * games)
    planes, actions = masked(**parameters).observation_space["obs"].shape, envs.action_space[0]
    net = Net(state_shape=planes, action_shape=actions.n, hidden_sizes=(256, 256))
    policy = DiscreteQLearningPolicy(model=net, action_space=actions, eps_training=0.15)
    dqn = DQN(policy=policy, optim=AdamOptimizerFactory(lr=5e-4), n_step_return_horizon=5, target_update_freq=200)
    collector = Collector(dqn, envs, VectorReplayBuffer(50_000, games), exploration_noise=True)
    collector.reset()
    settings = {"update_step_num_gradient_steps_per_sample": 0.05, "batch_size": 128, "show_progress": False}
    settings |= {"max_epochs": 1, "epoch_num_steps": steps, "collection_step_num_env_steps": 32 * games}
    dqn.run_training(OffPolicyTrainerParams(training_collector=collector, verbose=False, **settings))
    return dqn


def train(steps: int = 20_000) -> agon_arena.MatchResult:
    """A match against `random` after this number of steps."""
    torch.set_num_threads(1)
    torch.manual_seed(1), np.random.seed(1)
    net = learn(16, steps, game="domineering", rows=4, columns=4).policy.model

    @torch.no_grad()
    def dqn(position: agon_arena.Position) -> int:
        values = net(position.observation()[None])[0][0].numpy()
        return int(np.where(position.action_mask() == 1, values, -np.inf).argmax())

    return agon_arena.match(dqn, "random", game="domineering", rows=4, columns=4, games=100, jobs=1)


def attempt(kind: str, game: str, **parameters: Any) -> None:
    """Learns a little; plays first moves for both sides."""
    if kind == "SinglePlayerEnv":
        learn(2, 200, game=game, **parameters)
        return
    both = PettingZooEnv(agon_arena.env(game, **parameters))
    seen, _ = both.reset()
    for _ in range(30):
        seen, _, terminated, truncated, _ = both.step(int(np.flatnonzero(seen["mask"])[0]))
        if terminated or truncated:
            seen, _ = both.reset()


if __name__ == "__main__":
    begun = time.time()
    result = train()
    print(f"{result}, {time.time() - begun:.0f} s")
    sys.exit(result.wins < 65)
