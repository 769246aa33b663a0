//! The opening rules: each by its published order of choices, and the offers that are refused.

use agon_game::{Position as _, Side};
use agon_rules::renju::opening_rules::{Decision, OpeningGame, OpeningRule, Player, Step};
use agon_rules::renju::{Opening, RuleSet};

use Player::{First, Second};

/// Plays decisions, each as `who: step` before it, and returns the opening.
fn play(rule: OpeningRule, script: &[(Player, &str, &str)]) -> OpeningGame {
    let mut game = OpeningGame::new(rule);
    for &(player, step, text) in script {
        let (decides, asked) = game.turn().unwrap_or_else(|| panic!("{rule} is complete before `{text}`"));
        assert_eq!((decides, asked.to_string().as_str()), (player, step), "{rule} before `{text}`");
        let decision = game.read(text).unwrap_or_else(|refusal| panic!("{rule}: `{text}`: {refusal}"));
        assert!(game.legal_decisions().contains(&decision), "{rule}: {text} is listed");
        game.apply(decision).expect(text);
    }
    game
}

fn complete(rule: OpeningRule, script: &[(Player, &str, &str)], black: Player, stones: usize) {
    let game = play(rule, script);
    assert!(game.is_complete(), "{rule}: {:?}", game.turn());
    assert!(game.legal_decisions().is_empty());
    assert_eq!((game.black(), game.stones().len()), (black, stones), "{rule}");
    // The game goes on with White.
    let position = game.position();
    assert_eq!((position.turn(), position.rules(), position.outcome()), (Side::Second, rule.rules(), None));
    // The text is the opening.
    assert_eq!(OpeningGame::parse(rule, &game.text()).as_ref(), Ok(&game));
}

const STONE_1: &str = "place stone 1 (Black) on H8";
const STONE_2: &str = "place stone 2 (White) in the central 3 × 3 square";
const STONE_3: &str = "place stone 3 (Black) in the central 5 × 5 square";
const STONE_4: &str = "place stone 4 (White) on any point";
const SWAP: &str = "swap colours, or keep them";
const CHOOSE: &str = "choose one of the offered fifth moves";

/// <https://en.wikipedia.org/wiki/RIF_opening_rule>: "The tentative Black plays all the first three moves […] The
/// tentative White decides which of the players that will play as Black and as White […] White makes the 4th move in an
/// optional unoccupied intersection. Black has to make two different proposals for 5th stone. […] White has the right
/// to choose one of the two".
#[test]
fn rif_is_played_in_its_published_order() {
    let start = [(First, STONE_1, "h8"), (First, STONE_2, "H9"), (First, STONE_3, "J9")];
    let kept = [
        (Second, SWAP, "keep"),
        (Second, STONE_4, "A1"),
        (First, "offer fifth move 1 of 2", "G7"),
        (First, "offer fifth move 2 of 2", "O15"),
        (Second, CHOOSE, "O15"),
    ];
    complete(OpeningRule::Rif, &[&start[..], &kept].concat(), First, 5);
    let swapped = [
        (Second, SWAP, "swap"),
        (First, STONE_4, "G8"),
        (Second, "offer fifth move 1 of 2", "J7"),
        (Second, "offer fifth move 2 of 2", "G6"),
        (First, CHOOSE, "J7"),
    ];
    complete(OpeningRule::Rif, &[&start[..], &swapped].concat(), Second, 5);
}

/// <https://en.wikipedia.org/wiki/Yamaguchi_opening_rule>: "The first player puts one of the 26 openings and declares
/// how many 5th moves will be offered […]. The next player has a right to swap. The white player puts the 4th move
/// anywhere on the board. The black player puts as many 5th moves on the board as it was declared before (symmetrical
/// moves not allowed). The white player chooses one".
#[test]
fn yamaguchi_is_played_in_its_published_order() {
    let script = [
        (First, STONE_1, "H8"),
        (First, STONE_2, "I9"),
        (First, STONE_3, "J8"),
        (First, "announce the number of fifth moves, 1 to 10", "3"),
        (Second, SWAP, "swap"),
        (First, STONE_4, "C3"),
        (Second, "offer fifth move 1 of 3", "G7"),
        (Second, "offer fifth move 2 of 3", "G8"),
        (Second, "offer fifth move 3 of 3", "G9"),
        (First, CHOOSE, "G8"),
    ];
    complete(OpeningRule::Yamaguchi, &script, Second, 5);
    // One fifth move is offered and chosen like several.
    let mut one = OpeningGame::parse(OpeningRule::Yamaguchi, "H8 I9 J8 1 keep C3 G7").expect("an opening");
    assert_eq!(one.legal_decisions().len(), 1);
    assert_eq!(one.turn().map(|(player, _)| player), Some(Second));
    assert_eq!(one.take_back().map(|decision| decision.to_string()).as_deref(), Some("G7"));
    assert_eq!(one.turn(), Some((First, Step::Offer { number: 1, of: 1 })));
}

/// <https://en.wikipedia.org/wiki/Soosõrv_opening_rule>: "The first player puts one of the 26 openings. The other
/// player has the right to swap. The white player puts the 4th move anywhere on board and declares whether there will
/// be 1, 2, 3 or 4 [here: up to 8] fifth moves offered in the game. The other player has a right to swap. The black
/// player puts as many 5th moves on the board as it was declared before. The fifth moves can not be symmetrical. The
/// white player chooses one".
#[test]
fn soosyrv_is_played_in_its_published_order() {
    let announce = "announce the number of fifth moves, 1 to 8";
    let script = [
        (First, STONE_1, "H8"),
        (First, STONE_2, "H9"),
        (First, STONE_3, "H7"),
        (Second, SWAP, "swap"),
        (First, STONE_4, "N14"),
        (First, announce, "2"),
        (Second, SWAP, "swap"),
        (First, "offer fifth move 1 of 2", "G8"),
        (First, "offer fifth move 2 of 2", "I10"),
        (Second, CHOOSE, "G8"),
    ];
    complete(OpeningRule::Soosyrv8, &script, First, 5);
    let game = play(OpeningRule::Soosyrv8, &script[..5]);
    let refused = game.read("9").expect_err("nine");
    assert_eq!(refused.to_string(), "9 fifth moves announced; 1 to 8 are allowed");
    assert_eq!(game.read("0").expect_err("none").to_string(), "0 fifth moves announced; 1 to 8 are allowed");
}

/// <https://en.wikipedia.org/wiki/Taraguchi_opening_rule>, <https://www.renju.net/rule/25/>: the first stone in the
/// centre, then stones in the central 3 × 3, 5 × 5 and 7 × 7 squares; after each "the other player may swap". After the
/// fourth, choice 1: "The other player may swap. The black player will put the 5th move within 9x9 central square. The
/// other player may swap. The white player plays the 6th move anywhere". Choice 2: the black player puts [ten] 5th
/// moves anywhere on board (symmetrical moves are not allowed). The white player chooses one".
#[test]
fn taraguchi_is_played_in_its_published_order() {
    let start = [
        (First, STONE_1, "H8"),
        (Second, SWAP, "keep"),
        (Second, STONE_2, "H9"),
        (First, SWAP, "swap"),
        // The first player holds White now, so the third stone is the second player's.
        (Second, STONE_3, "J9"),
        (First, SWAP, "keep"),
        (First, "place stone 4 (White) in the central 7 × 7 square", "G8"),
    ];
    let fourth = "swap colours, keep them, or keep them and offer ten fifth moves";
    let one = [
        (Second, fourth, "swap"),
        (First, "place stone 5 (Black) in the central 9 × 9 square", "L12"),
        (Second, SWAP, "swap"),
    ];
    complete(OpeningRule::Taraguchi10, &[&start[..], &one].concat(), Second, 5);
    let offers = ["J7", "G6", "I6", "I7", "J8", "K10", "I11", "G10", "F9", "O1"];
    let steps: Vec<String> = (1..=10).map(|number| format!("offer fifth move {number} of 10")).collect();
    let mut ten = vec![(Second, fourth, "ten")];
    ten.extend(steps.iter().zip(offers).map(|(step, offer)| (Second, step.as_str(), offer)));
    ten.push((First, CHOOSE, "O1"));
    complete(OpeningRule::Taraguchi10, &[&start[..], &ten].concat(), Second, 5);
    let game = play(OpeningRule::Taraguchi10, &start[..6]);
    let refused = game.read("D8").expect_err("four steps from the centre");
    assert_eq!(refused.to_string(), "stone 4 must be placed in the central 7 × 7 square, not on D8");
}

/// <http://www.vcpr.cz/en/help-and-rules/gomoku-rules/>: "The opening player puts first three stones (black, white and
/// black) anywhere on the board and his opponent then chooses either which color he wants to play or he can put two
/// additional stones (white and black) on the board and let the opening player choose which color to play."
#[test]
fn swap2_is_played_in_its_published_order() {
    let any = |number: u8, colour: &str| format!("place stone {number} ({colour}) on any point");
    let steps: Vec<String> =
        (1..=5).map(|number| any(number, if number % 2 == 1 { "Black" } else { "White" })).collect();
    let choice = "take Black (swap), stay White (keep), or place two more stones";
    let start = [(First, &*steps[0], "A1"), (First, &*steps[1], "F9"), (First, &*steps[2], "O15")];
    complete(OpeningRule::Swap2, &[&start[..], &[(Second, choice, "keep")]].concat(), First, 3);
    complete(OpeningRule::Swap2, &[&start[..], &[(Second, choice, "swap")]].concat(), Second, 3);
    let two = [(Second, choice, "two"), (Second, &*steps[3], "B3"), (Second, &*steps[4], "H8")];
    complete(OpeningRule::Swap2, &[&start[..], &two, &[(First, SWAP, "swap")]].concat(), Second, 5);
    complete(OpeningRule::Swap2, &[&start[..], &two, &[(First, SWAP, "keep")]].concat(), First, 5);
    assert_eq!(OpeningRule::Swap2.rules(), RuleSet::Standard);
}

#[test]
fn three_stones_are_one_of_the_26_openings() {
    for rule in [OpeningRule::Rif, OpeningRule::Yamaguchi, OpeningRule::Soosyrv8] {
        let mut game = OpeningGame::new(rule);
        for reach in 0..3_u8 {
            let legal = game.legal_decisions();
            assert_eq!(legal.len(), (2 * usize::from(reach) + 1).pow(2) - usize::from(reach), "{rule}");
            if reach == 2 {
                for decision in legal {
                    let Decision::Stone(third) = decision else { panic!("{decision} is a stone") };
                    assert!(Opening::of([game.stones()[0], game.stones()[1], third]).is_some(), "{third}");
                }
            } else {
                game.apply(legal[0]).expect("legal");
            }
        }
    }
}

#[test]
fn symmetric_offers_are_refused() {
    let check = |opening: &str, offer: &str, expected: &str| {
        let game = OpeningGame::parse(OpeningRule::Rif, opening).expect(opening);
        let refused = game.read(offer).expect_err(offer);
        assert_eq!(refused.to_string(), expected, "{offer} after {opening}");
        let listed: Vec<String> = game.legal_decisions().iter().map(ToString::to_string).collect();
        assert!(!listed.contains(&offer.to_owned()), "{offer} after {opening}");
        // The list and the check agree on every point.
        for point in agon_rules::renju::Point::all() {
            let decision = Decision::Offer(point);
            assert_eq!(game.check(decision).is_ok(), listed.contains(&decision.to_string()), "{point} after {opening}");
        }
    };
    // All stones on the column H: its sides are alike.
    check("H8 H9 H7 keep H6 G8", "I8", "I8 is symmetric to G8, which is offered already");
    // On a diagonal.
    check("H8 I9 G7 keep F6 H7", "G8", "G8 is symmetric to H7, which is offered already");
    // By a half turn about a point between the stones: Black on H8 and J8, White on I9 and I7.
    check("H8 I9 J8 keep I7 G8", "K8", "K8 is symmetric to G8, which is offered already");
    // The axis is not in the middle of the board: the stones are symmetric about the column I.
    check("H8 I9 J8 keep I10 H7", "J7", "J7 is symmetric to H7, which is offered already");
    check("H8 H9 J9 keep G8 J7", "J7", "J7 is offered already");
    check("H8 H9 J9 keep G8 J7", "J9", "J9 is taken");
}

#[test]
fn decisions_out_of_place_are_refused() {
    let check = |opening: &str, text: &str, expected: &str| {
        let game = OpeningGame::parse(OpeningRule::Taraguchi10, opening).expect(opening);
        assert_eq!(game.read(text).expect_err(text).to_string(), expected);
    };
    check("", "H9", "stone 1 must be placed on H8, not on H9");
    check("", "swap", "`swap` does not fit here: place stone 1 (Black) on H8");
    check("", "P3", "`P3` does not fit here: place stone 1 (Black) on H8");
    check("H8", "H9", "`H9` does not fit here: swap colours, or keep them");
    check("H8", "ten", "`ten` does not fit here: swap colours, or keep them");
    check("H8 keep", "H8", "H8 is taken");
    check("H8 keep", "K8", "stone 2 must be placed in the central 3 × 3 square, not on K8");
    check("H8 keep H9 keep J9 keep G8 keep L12 keep", "H7", "the opening is complete");
    let error = OpeningGame::parse(OpeningRule::Rif, "H8 H9 keep").expect_err("a stone is missing");
    assert_eq!(
        error.to_string(),
        "decision 3, `keep`: `keep` does not fit here: place stone 3 (Black) in the central 5 × 5 square"
    );
}

/// Any sequence of legal decisions ends, and can be taken back.
#[test]
fn every_opening_ends_and_is_taken_back() {
    for rule in OpeningRule::ALL {
        for seed in 0..40_u64 {
            let mut game = OpeningGame::new(rule);
            let mut number = seed;
            let mut past = vec![game.clone()];
            while !game.is_complete() {
                let legal = game.legal_decisions();
                assert!(!legal.is_empty(), "{rule}: {:?}", game.turn());
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                game.apply(legal[(number >> 33) as usize % legal.len()]).expect("legal");
                past.push(game.clone());
                assert!(past.len() < 32, "{rule} does not end");
            }
            while past.pop().is_some() {
                assert_eq!(game.take_back().is_some(), !past.is_empty());
                assert_eq!(past.last().unwrap_or(&game), &game);
            }
        }
    }
}

#[test]
fn names_are_read() {
    for rule in OpeningRule::ALL {
        assert_eq!(rule.name().parse(), Ok(rule));
        assert_eq!(rule.title().parse(), Ok(rule), "{}", rule.title());
    }
    assert_eq!("Soosyrv 8".parse(), Ok(OpeningRule::Soosyrv8));
    let error = "pro".parse::<OpeningRule>().expect_err("not one of them");
    assert_eq!(
        error.to_string(),
        "unknown opening rule: `pro`; expected rif, yamaguchi, soosyrv-8, taraguchi-10 or swap2"
    );
}
