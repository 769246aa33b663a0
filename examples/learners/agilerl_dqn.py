"""DQN of AgileRL plays and learns with the mask of each position.

    pip install ".[env]" agilerl        # in a checkout of Agon
    python examples/learners/agilerl_dqn.py
"""

from typing import Any

import agon_arena
import numpy as np
from agilerl.algorithms import DQN
from agilerl.components.replay_buffer import ReplayBuffer
from tensordict import TensorDict

LIBRARY, KINDS = "agilerl", ["SinglePlayerEnv"]


def learn(steps: int, **parameters: Any) -> list[float]:
    """The rewards of the games that end while a player learns for this number of steps."""
    env = agon_arena.SinglePlayerEnv(opponent="random", **parameters)
    network = {"encoder_config": {"channel_size": [16], "kernel_size": [3], "stride_size": [1]}}
    dqn = DQN(env.observation_space, env.action_space, net_config=network, batch_size=64)
    buffer, ended = ReplayBuffer(10_000), []
    seen, infos = env.reset(seed=1)
    for step in range(steps):
        action = dqn.get_action(seen[None], epsilon=0.2, action_mask=infos["action_mask"][None])[0]
        after, reward, over, _, infos = env.step(action)
        move = {"obs": seen, "action": action, "reward": reward, "next_obs": after, "done": over}
        buffer.add(TensorDict({name: np.asarray(value, np.float32)[None] for name, value in move.items()}, [1]))
        seen = after
        if over:
            ended.append(reward)
            seen, infos = env.reset()
        if step >= 64 and step % dqn.learn_step == 0:
            dqn.learn(buffer.sample(dqn.batch_size))
    return ended


def attempt(kind: str, game: str, **parameters: Any) -> None:
    learn(200, game=game, **parameters)


if __name__ == "__main__":
    rewards = learn(5_000, game="domineering", rows=4, columns=4)
    print(f"{len(rewards)} games, mean reward {np.mean(rewards):+.2f}, of the last 100 {np.mean(rewards[-100:]):+.2f}")
