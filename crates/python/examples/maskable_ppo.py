"""Stable-Baselines3's MaskablePPO learns domineering on 5 x 5 boards against `greedy`.

    pip install ".[env]" sb3-contrib    # in a checkout of Agon; PyTorch comes with it, some gigabytes
    python crates/python/examples/maskable_ppo.py 200000

The number is how many steps it learns. It prints how many of 200 games the player wins before and after.
"""

import sys

from agon_arena import SinglePlayerEnv
from sb3_contrib import MaskablePPO


def wins(model: MaskablePPO, env: SinglePlayerEnv, games: int = 200) -> int:
    """Games that the player wins, of boards it has not learnt from."""
    won = 0
    for game in range(games):
        seen, _ = env.reset(seed=1_000_000 + game)
        over, reward = False, 0.0
        while not over:
            action, _ = model.predict(seen, action_masks=env.action_masks(), deterministic=True)
            seen, reward, over, _, _ = env.step(int(action))
        won += reward > 0
    return won


if __name__ == "__main__":
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    env = SinglePlayerEnv("domineering", "greedy", rows=5, columns=5)
    model = MaskablePPO("MlpPolicy", env, seed=1, n_steps=1024, batch_size=256, gamma=1.0, verbose=0)
    before = wins(model, env)
    model.learn(steps, progress_bar=False)
    print(f"wins of 200 games against greedy: {before} before, {wins(model, env)} after {steps} steps")
