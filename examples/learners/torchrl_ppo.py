"""PPO of TorchRL learns domineering on 4 × 4 points against `random`.

    pip install ".[env]" torchrl        # in a checkout of Agon; PyTorch comes with it, some gigabytes
    python examples/learners/torchrl_ppo.py
"""

import sys
import time
from typing import Any

import agon_arena
import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.data import Binary
from torchrl.envs import GymEnv, SerialEnv
from torchrl.envs.gym_like import default_info_dict_reader
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

LIBRARY, KINDS = "torchrl", ["SinglePlayerEnv"]


def environment(game: str, **parameters: Any) -> GymEnv:
    """A game by its name in Gymnasium. The mask is read from `infos`."""
    name = f"agon_arena/{game.title()}-v0"
    env = GymEnv(name, opponent="random", categorical_action_encoding=True, **parameters)
    mask = Binary(int(env.action_space.n), dtype=torch.bool)
    return env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=[mask]))


def learn(games: int, steps: int, **parameters: Any) -> MLP:
    """The layers of a policy after this number of steps."""
    envs = SerialEnv(games, lambda: environment(**parameters))
    inputs, outputs = envs.observation_spec["observation"][0].shape.numel(), envs.full_action_spec["action"].space.n
    flat = lambda size: torch.nn.Sequential(torch.nn.Flatten(-3), MLP(inputs, size, num_cells=[256]))
    logits, critic = flat(outputs), ValueOperator(flat(1), in_keys=["observation"])
    actor = ProbabilisticActor(
        TensorDictModule(logits, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic, average_gae=True)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimiser = torch.optim.Adam(loss.parameters(), 1e-3)
    for data in Collector(envs, actor, frames_per_batch=64 * games, total_frames=steps):
        for _ in range(6):
            advantage(data)
            for part in data.flatten()[torch.randperm(data.numel())].split(256):
                sum(value for name, value in loss(part).items() if name.startswith("loss_")).backward()
                optimiser.step(), optimiser.zero_grad()
    return logits


def train(steps: int = 20_480) -> agon_arena.MatchResult:
    """A match against `random` after this number of steps."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    logits = learn(16, steps, game="domineering", rows=4, columns=4)

    @torch.no_grad()
    def ppo(position: agon_arena.Position) -> int:
        legal = torch.from_numpy(position.action_mask()) == 1
        return int(logits(torch.from_numpy(position.observation())).masked_fill(~legal, -torch.inf).argmax())

    return agon_arena.match(ppo, "random", game="domineering", rows=4, columns=4, games=100, jobs=1)


def attempt(kind: str, game: str, **parameters: Any) -> None:
    learn(2, 256, game=game, **parameters)


if __name__ == "__main__":
    begun = time.time()
    result = train()
    print(f"{result}, {time.time() - begun:.0f} s")
    sys.exit(result.wins < 65)
