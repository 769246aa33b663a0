//! The champion plays legal moves, wins, and keeps to its time.

use std::time::Duration;

use agon_engines::renju::{Champion, Greedy, bench, champion};
use agon_game::{Outcome, Position, Side, TimeControl};
use agon_rules::renju::{Move, Renju};
use agon_search::{Engine, Score, SearchLimits, Stop, Task};

fn after(letters: &str) -> Renju {
    let moves: Vec<Move> = letters.split_whitespace().map(|word| Move::from_letters(word).expect(word)).collect();
    Renju::after(&moves).expect(letters)
}

/// Plays on to the end; each move must be legal.
fn play(mut position: Renju, players: &mut [&mut dyn Engine<Renju>; 2], clock: Duration) -> Renju {
    while position.outcome().is_none() {
        let m = players[position.turn().index()]
            .best_move(&position, &Task::clock(TimeControl::sudden_death(clock)))
            .expect("not over");
        position.check(m).unwrap_or_else(|error| panic!("{error} in {position}"));
        position.play_unchecked(m, &mut ());
    }
    position
}

/// From all eight second moves as Black, always; as White, against whom Black has a won game, it never loses and hardly
/// ever draws.
#[test]
fn greedy_is_beaten() {
    let seeds = if std::env::var_os("AGON_SLOW").is_some() { 30 } else { 2 };
    let mut drawn = 0;
    for seed in 0..seeds {
        for side in Side::BOTH {
            for second in ["G7", "G8", "G9", "H7", "H9", "I7", "I8", "I9"] {
                // As White it chooses its second move itself, so one game is enough.
                if side == Side::Second && second != "H9" {
                    continue;
                }
                let start = after(&format!("H8 {second}"));
                let mut champion = Champion::default().limited(SearchLimits::nodes(10_000));
                let mut greedy = Greedy::new(seed);
                let end = match side {
                    Side::First => play(start, &mut [&mut champion, &mut greedy], Duration::from_mins(1)),
                    Side::Second => play(Renju::default(), &mut [&mut greedy, &mut champion], Duration::from_mins(1)),
                };
                let draw = side == Side::Second && end.outcome() == Some(Outcome::Draw);
                assert!(draw || end.outcome() == Some(Outcome::Win(side)), "seed {seed}, {second}: {end}");
                drawn += u64::from(draw);
            }
        }
    }
    assert!(drawn * 8 <= seeds, "{drawn} of {seeds} games as White were drawn");
}

/// The third move makes Kagetsu or Hogetsu, whichever way the board is turned.
#[test]
fn black_chooses_a_known_win() {
    let check = |second: &str, third: &str| {
        let m = champion::opening(&after(&format!("H8 {second}")));
        assert_eq!(m.map(Move::letters).as_deref(), Some(third), "{second}");
    };
    check("H9", "I9");
    check("H7", "I7");
    check("G8", "G7");
    check("I8", "I7");
    check("I9", "I7");
    check("G9", "G7");
    check("I7", "I9");
    check("G7", "G9");
    assert_eq!(champion::opening(&after("H8 H9 I9")), None);
}

fn analyze(position: &Renju, nodes: u64) -> (Move, Score) {
    let task = Task { limits: SearchLimits::nodes(nodes), ..Task::default() };
    let mut last = Score::Centi(0);
    let m = Champion::default().search(position, &task, &mut |info| {
        if info.multipv == 1 {
            last = info.score;
        }
    });
    (m.expect("a move"), last)
}

#[test]
fn what_is_forced_is_played() {
    let check = |position: &str, moves: &str, expected: fn(Score) -> bool| {
        let position: Renju = position.parse().expect(position);
        let (m, value) = analyze(&position, 20_000);
        assert!(moves.split(' ').any(|word| word == m.letters()), "{} in {position}", m.letters());
        assert!(expected(value), "{value:?} in {position}");
    };
    let any: fn(Score) -> bool = |_| true;
    // Wins rather than stops a five.
    check("15/15/15/15/15/15/15/4BBBB7/4WWWW7/15/15/15/15/15/15 B", "D8 I8", |value| value == Score::Win(1));
    // Stops a five.
    check("15/15/15/15/15/15/15/3WBBBB7/8W6/7W7/15/15/15/15/15 W", "I8", any);
    // Stops an open three.
    check("15/15/15/15/15/15/15/4BBB8/3W11/7W7/15/15/15/15/15 W", "C8 D8 H8 I8", any);
    // Whatever White does against two crossing rows, it knows the state of the game.
    let crossing: Renju = "15/15/15/15/7B7/7B7/15/4BB9/3W11/8W6/W13W/15/15/15/15 W".parse().expect("a position");
    let (_, value) = analyze(&crossing, 20_000);
    assert!(matches!(value, Score::Centi(..=-300) | Score::Loss(_)), "{value:?}");
}

/// After a PASS a losing side passes too, and a winning one does not.
#[test]
fn a_pass_is_answered() {
    let check = |position: &str, passes: bool| {
        let position: Renju = position.parse().expect(position);
        let (m, value) = analyze(&position, 3_000);
        assert_eq!(m == Move::Pass, passes, "{} is worth {value:?} in {position}", m.letters());
    };
    // White has two open threes; Black's only way out is the draw.
    check("15/15/15/15/15/4WWW8/15/15/15/4WWW8/15/B13B/15/15/B13B B 1 11", true);
    check("15/15/15/15/15/4WWW8/15/15/15/4WWW8/15/B13B/15/15/B13B W 1 11", false);
    // Without the other's PASS it would not be a draw.
    check("15/15/15/15/15/4WWW8/15/15/15/4WWW8/15/B13B/15/15/B13B B 0 10", false);
}

/// With hardly any time, and with none at all, there is a legal move.
#[test]
fn there_is_always_a_move() {
    for clock in [Duration::ZERO, Duration::from_millis(1), Duration::from_millis(200)] {
        let end = play(Renju::default(), &mut [&mut Champion::default(), &mut Greedy::new(1)], clock);
        assert!(end.outcome().is_some());
    }
    let full: Vec<&str> = ["BBWWBBWWBBWWBBW", "WWBBWWBBWWBBWWB"].into_iter().cycle().take(15).collect();
    let position: Renju = format!("{} B", full.join("/")).parse().expect("a position");
    assert_eq!(analyze(&position, 100).0, Move::Pass);
}

/// With a limit of nodes a game is always the same; levels differ in what they may do.
#[test]
fn levels_play() {
    let game = |seed| {
        let mut players = [1, 8].map(Champion::at);
        for player in &mut players {
            player.set_seed(seed);
        }
        let [low, high] = &mut players;
        let players: &mut [&mut dyn Engine<Renju>; 2] = &mut [low, high];
        play(Renju::default(), players, Duration::from_mins(1))
    };
    let end = game(1);
    assert_eq!(end, game(1));
    assert_eq!(end.outcome(), Some(Outcome::Win(Side::Second)), "{end}");
}

/// Threads share what they find: the move is sane, the nodes of all count against the limit, and the lines are legal.
#[test]
fn threads_search_together() {
    const NODES: u64 = 40_000;
    let position = after(bench::GAMES[3]);
    for threads in [2, 4] {
        let mut champion = Champion::default();
        champion.set_memory(8 << 20);
        champion.set_threads(threads);
        let (mut nodes, mut ranks) = (0, Vec::new());
        let task = Task { limits: SearchLimits::nodes(NODES), multipv: 2, ..Task::default() };
        let best = champion.search(&position, &task, &mut |info| {
            let mut at = position.clone();
            for &m in &info.pv {
                at.check(m).unwrap_or_else(|error| panic!("{error} in {at}"));
                at.play_unchecked(m, &mut ());
            }
            nodes = info.nodes;
            ranks.push(info.multipv);
        });
        assert!(position.check(best.expect("a move")).is_ok());
        assert_eq!(ranks.last_chunk(), Some(&[2, 1]), "{threads} threads");
        // A thread lags behind by at most one search for fours or threats.
        assert!(nodes > 0 && nodes < 2 * NODES, "{nodes} nodes on {threads} threads");
    }
    // A forced win is found by the thread that answers, whatever the others do.
    let mut champion = Champion::default();
    champion.set_threads(3);
    let stops: Renju = "15/15/15/15/15/15/15/3WBBBB7/8W6/7W7/15/15/15/15/15 W".parse().expect("a position");
    let task = Task { limits: SearchLimits::nodes(5_000), ..Task::default() };
    assert_eq!(champion.best_move(&stops, &task).map(Move::letters).as_deref(), Some("I8"));
}

/// A search on several threads without limits ends when it is stopped, and the engine is ready for the next one.
#[test]
fn a_stop_ends_all_threads() {
    let mut champion = Champion::default();
    champion.set_memory(8 << 20);
    champion.set_threads(4);
    for game in [bench::GAMES[1], bench::GAMES[3]] {
        let (position, stop) = (after(game), Stop::default());
        let task = Task { stop: stop.clone(), ..Task::default() };
        let best = champion.search(&position, &task, &mut |info| {
            if info.depth >= 2 {
                stop.raise();
            }
        });
        assert!(position.check(best.expect("a move")).is_ok());
    }
}

/// One thread does the same whatever the engine did before on several.
#[test]
fn one_thread_is_repeatable() {
    let position = after(bench::GAMES[3]);
    let nodes = |champion: &mut Champion| {
        champion.set_memory(8 << 20);
        champion.set_threads(1);
        let limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
        champion.start(&position, &limits.into(), &mut |_| {}).expect("a move").nodes
    };
    let first = nodes(&mut Champion::default());
    let mut champion = Champion::default();
    champion.set_threads(2);
    champion.best_move(&position, &SearchLimits::nodes(3_000).into());
    champion.new_game();
    assert_eq!(nodes(&mut champion), first);
}
