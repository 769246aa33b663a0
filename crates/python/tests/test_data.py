"""Records, stores, files of positions and networks."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import agon_arena
import numpy as np
import pytest
from agon_arena import AgonError, Batch, Net, Position, Positions

FIXTURES = Path(__file__).parents[2] / "cli" / "tests" / "fixtures"


def test_records_become_arrays(tmp_path: Path) -> None:
    chosen = [(game, seed) for game in ("bacteria", "renju") for seed in (1, 2)]
    results = [agon_arena.play("greedy", "random", game=game, seed=seed) for game, seed in chosen]
    path = tmp_path / "games.jsonl"
    path.write_text("".join(result.record for result in results))
    games = agon_arena.read(path)
    assert len(games) == 4 and games.runs() == [] and len(games[1:]) == 3
    for game, result in zip(games, results, strict=True):
        observations, actions, values, turns = game.arrays()
        positions = list(game.positions())
        opening = game.parameters.get("opening", "")
        assert len(actions) == len(game.moves) == len(positions) - 1
        assert len(game.moves) + len([move for move in opening.split("/") if move]) == result.plies
        for at, position in enumerate(positions[:-1]):
            np.testing.assert_array_equal(observations[at], position.observation())
            assert position.play(int(actions[at])) == positions[at + 1] and turns[at] == position.turn
            wanted = 0 if game.winner is None else 1 if game.winner == position.turn else -1
            assert values[at] == wanted
    assert sum(len(actions) for _, actions, _, _ in games.arrays()) == sum(len(game.moves) for game in games)


def test_stores_of_earlier_releases_are_read() -> None:
    stores = sorted(FIXTURES.rglob("*.db"))
    read = 0
    for store in stores:
        try:
            games = agon_arena.read(store)
        except AgonError:
            continue
        for row in games.runs():
            run = agon_arena.read(store, row["id"], prove=False)
            assert len(run) == row["games"]
            if len(run):
                assert run[0].game == row["game"] and run[0].agents
                read += 1
    assert read or not stores


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(AgonError, match="cannot read"):
        agon_arena.read(tmp_path / "none.db")
    (tmp_path / "text").write_text("{}\n")
    with pytest.raises(AgonError, match="line 1"):
        agon_arena.read(tmp_path / "text")[0]
    (tmp_path / "store.db").write_bytes(b"SQLite format 3\0" + bytes(100))
    with pytest.raises(AgonError):
        agon_arena.read(tmp_path / "store.db")
    with pytest.raises(AgonError, match="no file of records"):
        agon_arena.read_positions(tmp_path / "text", "bacteria")
    with pytest.raises(AgonError, match="has no files of positions"):
        agon_arena.read_positions(tmp_path / "text", "domineering")


@pytest.mark.parametrize(("game", "side"), [("bacteria", 7), ("renju", 15)])
def test_files_of_positions_go_round(tmp_path: Path, game: str, side: int) -> None:
    batch = Batch(game, 200, seed=3)
    boards, turns, plies = [], [], []
    for _ in range(9):
        batch.step(batch.sample())
        boards.append((batch.observations[:, 0] - batch.observations[:, 1]).astype(np.int8))
        turns.append(batch.turns.copy())
        plies.append(batch.plies.astype(np.uint16))
    rng = np.random.default_rng(1)
    count = 9 * 200
    positions = Positions(
        game,
        np.concatenate(boards),
        np.concatenate(turns),
        rng.integers(-3_000, 3_000, count).astype(np.int16),
        rng.integers(0, 3, count).astype(np.uint8),
        np.concatenate(plies),
        "by a test",
    )
    path = tmp_path / "a.positions"
    assert agon_arena.write_positions(path, positions) == count
    again = agon_arena.read_positions(path, game)
    for name in ("boards", "turns", "values", "results", "plies"):
        np.testing.assert_array_equal(getattr(again, name), getattr(positions, name))
        assert getattr(again, name).dtype == getattr(positions, name).dtype
    assert again.made == "by a test" and again.boards.shape == (count, side, side)
    # The same positions make the same bytes, and more are appended.
    agon_arena.write_positions(tmp_path / "b.positions", again)
    assert (tmp_path / "b.positions").read_bytes() == path.read_bytes()
    assert agon_arena.write_positions(path, positions) == 2 * count
    positions.made = "otherwise"
    with pytest.raises(AgonError, match="write to another file"):
        agon_arena.write_positions(path, positions)


def test_wrong_positions_are_refused(tmp_path: Path) -> None:
    def refused(message: str, **changes: np.ndarray) -> None:
        arrays = {
            "boards": np.zeros((2, 7, 7), np.int8),
            "turns": np.zeros(2, np.int8),
            "values": np.zeros(2, np.int16),
            "results": np.ones(2, np.uint8),
            "plies": np.zeros(2, np.uint16),
        }
        with pytest.raises(AgonError, match=message):
            agon_arena.write_positions(tmp_path / "x", Positions("bacteria", **{**arrays, **changes}))

    refused(r"\(n, 7, 7\) expected", boards=np.zeros((2, 6, 6), np.int8))
    refused("position 1: 3 on the board", boards=np.array([np.zeros((7, 7)), np.full((7, 7), 3)]).astype(np.int8))
    refused(r"turns of shape \(3,\): \(2,\) expected", turns=np.zeros(3, np.int8))
    refused("values: an array of int16 expected, not of float64", values=np.zeros(2))
    refused("results: numbers that uint8 holds", results=np.full(2, 300))
    refused("position 0: ply 1 with the first side", plies=np.ones(2, np.uint16))
    refused("position 0: a result of 7", results=np.full(2, 7, np.uint8))


def test_files_of_datagen_are_read(tmp_path: Path) -> None:
    agon = shutil.which("agon") or str(Path(__file__).parents[3] / "target" / "debug" / "agon")
    if not Path(agon).exists():
        pytest.skip("no `agon` is built here")
    path = tmp_path / "0.positions"
    command = [agon, "lab", "datagen", "bacteria", "--net", "classic", "--nodes", "50", "--positions", "300"]
    command += ["--out", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    positions = agon_arena.read_positions(path, "bacteria")
    assert len(positions) >= 300 and positions.made and set(np.unique(positions.boards)) <= {-1, 0, 1}
    agon_arena.write_positions(tmp_path / "1.positions", positions)
    again = agon_arena.read_positions(tmp_path / "1.positions", "bacteria")
    np.testing.assert_array_equal(again.boards, positions.boards)
    np.testing.assert_array_equal(again.values, positions.values)


def small_net(seed: int = 1) -> tuple[Net, np.ndarray]:
    rng = np.random.default_rng(seed)
    boards = np.zeros((1, 7, 7), np.int8)
    features, _ = agon_arena.net_features(boards)
    champion = Net.champion("bacteria").arrays()
    count, stages = champion["rows"].shape[0], champion["outputs"].shape[0]
    net = agon_arena.quantise(
        rng.normal(0, 0.1, (count, 32)),
        rng.normal(0, 0.3, 32),
        rng.normal(0, 0.3, (stages, 64)),
        rng.normal(0, 0.1, stages),
        provenance="a test",
    )
    return net, features


def test_networks_go_round_exactly(tmp_path: Path) -> None:
    net, _ = small_net()
    path = tmp_path / "a.net"
    net.write(path)
    again = Net.read(path)
    assert again == net and again.sha256 == net.sha256 and again.provenance == "a test"
    arrays = again.arrays()
    made = Net.make(
        arrays["rows"],
        arrays["bias"],
        arrays["outputs"],
        arrays["output_bias"],
        weight_one=arrays["weight_one"],
        scale=arrays["scale"],
        provenance=again.provenance,
    )
    assert made == net
    champion = Net.champion("bacteria")
    champion.write(tmp_path / "champion.net")
    assert Net.read(tmp_path / "champion.net") == champion
    assert Net.champion("renju").arrays()["points"] >= 0
    (tmp_path / "bad.net").write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(AgonError, match="SHA-256"):
        Net.read(tmp_path / "bad.net")


def test_numpy_computes_what_the_search_computes() -> None:
    net, _ = small_net(2)
    batch = Batch("bacteria", 100, seed=9)
    for _ in range(20):
        batch.step(batch.sample())
    positions = [batch.position(row) for row in range(100)]
    boards = (batch.observations[:, 0] - batch.observations[:, 1]).astype(np.int8)
    np.testing.assert_array_equal(net.evaluate(positions), agon_arena.network_value(net, boards))


def test_a_network_of_ones_own_is_played(tmp_path: Path) -> None:
    net, _ = small_net(3)
    path = tmp_path / "own.net"
    net.write(path)
    engine = agon_arena.Engine(net=str(path))
    start = Position("bacteria")
    assert engine.best_move(start, nodes=500) in start.moves()
    result = agon_arena.play(engine, "random", game="bacteria", clock=60)
    assert result.verdicts == ("OK", "OK")
    with pytest.raises(AgonError, match="neither"):
        agon_arena.Engine(net="nowhere.net").best_move(start)
    with pytest.raises(AgonError, match="of the features"):
        renju = tmp_path / "renju.net"
        Net.champion("renju").write(renju)
        agon_arena.Engine(net=str(renju)).best_move(start)


def test_wrong_weights_are_refused() -> None:
    net, _ = small_net()
    arrays = net.arrays()
    with pytest.raises(AgonError, match="rows of shape"):
        Net.make(arrays["rows"][:5], arrays["bias"], arrays["outputs"], arrays["output_bias"])
    with pytest.raises(AgonError, match="finite numbers in 2 dimensions"):
        agon_arena.quantise(np.full((3, 3), np.nan), [0.0], [[0.0]], [0.0])
    with pytest.raises(AgonError, match=r"shape \(n, 7, 7\)"):
        agon_arena.net_features(np.zeros((3, 49), np.int8))


def test_a_tensor_of_pytorch_is_taken(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    champion = Net.champion("bacteria").arrays()
    count, stages = champion["rows"].shape[0], champion["outputs"].shape[0]
    rows = torch.nn.Parameter(torch.randn(count, 32) / 10)
    net = agon_arena.quantise(rows, torch.zeros(32), torch.randn(stages, 64) / 5, torch.zeros(stages))
    net.write(tmp_path / "torch.net")
    assert Net.read(tmp_path / "torch.net") == net
