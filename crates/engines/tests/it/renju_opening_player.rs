//! Decisions of openings by value.

use agon_engines::renju::opening_trials::{SwapTrial, draw};
use agon_engines::renju::{Champion, OpeningNodes, OpeningPlayer};
use agon_game::seed::Stream;
use agon_rules::renju::Opening;
use agon_rules::renju::opening_rules::{Decision, OpeningGame, OpeningRule, Player};

const FEW: OpeningNodes = OpeningNodes { candidate: 60, chosen: 300, swap: 2_000 };

fn player(nodes: OpeningNodes, seed: u64) -> OpeningPlayer {
    OpeningPlayer::new(Box::new(Champion::default()), nodes, seed)
}

/// Two engines open a game by every rule: each decision is legal, and the opening ends.
#[test]
fn every_opening_is_played_to_its_end() {
    for rule in OpeningRule::ALL {
        for seed in 0..2 {
            let mut players = [player(FEW, seed), player(FEW, seed + 100)];
            let mut game = OpeningGame::new(rule);
            while let Some((decides, step)) = game.turn() {
                let decision = players[decides as usize].decide(&game).expect("a decision");
                game.apply(decision).unwrap_or_else(|refusal| panic!("{rule}, {step}: {refusal}"));
            }
            assert!(game.stones().len() == 5 || rule == OpeningRule::Swap2, "{rule}: {}", game.text());
        }
    }
}

#[test]
fn a_won_colour_is_taken() {
    let check = |opening: Opening, expected: Decision| {
        let mut game = OpeningGame::new(OpeningRule::Rif);
        for stone in opening.stones() {
            game.apply(Decision::Stone(stone)).expect("an opening");
        }
        assert_eq!(game.turn().map(|(decides, _)| decides), Some(Player::Second));
        assert_eq!(player(FEW, 1).decide(&game), Some(expected), "{opening}");
    };
    // Black's best openings, and its worst, at the edge of the middle square.
    check(Opening::Kagetsu, Decision::Swap);
    check(Opening::Hogetsu, Decision::Swap);
    check(Opening::Suisei, Decision::Keep);
    check(Opening::Yusei, Decision::Keep);
}

/// What Black offers is what White likes least, so the first offer is better for Black than the second.
#[test]
fn white_chooses_the_offer_that_is_worse_for_black() {
    let mut engine = player(FEW, 1);
    let opening = OpeningGame::parse(OpeningRule::Rif, "H8 H9 J9 keep G8").expect("an opening");
    let mut game = opening;
    for _ in 0..2 {
        let decision = engine.decide(&game).expect("an offer");
        assert!(matches!(decision, Decision::Offer(_)));
        game.apply(decision).expect("legal");
    }
    // An offer far from all stones is no better than a PASS.
    let poor = OpeningGame::parse(OpeningRule::Rif, &format!("H8 H9 J9 keep G8 {} A1", game.offers()[0].letters()));
    let poor = poor.expect("an opening");
    let chosen = engine.decide(&poor).expect("a choice");
    assert_eq!(chosen.to_string(), "A1");
}

#[test]
fn trials_are_drawn_up_to_a_swap() {
    let mut stream = Stream::new(1, "swaps");
    for number in 0..6 {
        let game = draw(number, &mut stream);
        let (mut short, mut long) = (player(FEW, 0), player(FEW, 0));
        let trial = SwapTrial::new(game, &mut short, &mut long).expect("not complete");
        assert!(matches!(trial.decision, Decision::Keep | Decision::Swap), "{}", trial.game.text());
        assert_eq!(trial.is_right(), trial.chosen() >= 0);
    }
}
