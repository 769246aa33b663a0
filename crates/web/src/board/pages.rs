//! The pages: what they are before their scripts begin.

use agon_catalog::{Capability, Game};
use maud::{Markup, html};

use super::dish;
use super::tabs::tabs;
use crate::layout::Page;

/// The clocks that can be chosen: seconds for the game and for each move, and how they are called.
pub const CLOCKS: [(&str, &str); 4] = [
    ("60+0", "1 min each"),
    ("180+2", "3 min and 2 s a move"),
    ("300+0", "5 min each"),
    ("600+5", "10 min and 5 s a move"),
];

/// The page with all that can be played; on a site also by two people at two screens.
pub fn start(on_site: bool) -> Page {
    let body = html! {
        h1 { "Play and analyse" }
        p { "Against the built-in engines, at any level, or two people at one screen. Games stay in this browser." }
        ul.choices {
            @for game in Game::by_hand() {
                li { a href={ "/board/" (game.name()) } { strong { (game.title()) } } span.faint { (game.summary) } }
            }
            @if on_site {
                li {
                    a href="/board/invite" {
                        strong { "Invite a friend" } span.faint { "two people, each at their own screen, by a link" }
                    }
                }
            }
            @for game in Game::which_can(Capability::Actions) {
                li {
                    a href={ "/board/" (game.name()) } { strong { (game.title()) } }
                    span.faint { "choose two species, run them, and watch" }
                }
            }
            li { a href="/board/puzzles" { strong { "Puzzles" } span.faint { "one move alone wins: find it" } } }
            li {
                a href="/board/analysis" { strong { "Analysis" } }
                span.faint { "the best lines of any position, of your games and of files" }
            }
        }
    };
    Page::new("Play and analyse", body)
}

/// The page of this name: a game, or `analysis`.
pub fn titled(name: &str, on_site: bool) -> Option<Page> {
    match name {
        "analysis" => Some(analysis()),
        "petri" => Some(dish::form()),
        "puzzles" => Some(puzzles()),
        name => {
            let game = Game::by_name(name)?;
            game.has_turns().then(|| play(game, on_site))
        }
    }
}

/// Who can sit in a seat: a person, and every built-in at every level.
fn players(game: Game, chosen: &str) -> Markup {
    html! {
        option value="human" selected[chosen == "human"] { "a person" }
        @for builtin in game.builtins {
            @let name = builtin.name;
            @match builtin.levels() {
                None => { option value=(name) selected[chosen == name] { (name) } }
                Some(highest) => {
                    @for level in 1..=highest {
                        @let value = format!("{name}:{level}");
                        option value=(value) selected[chosen == value] { (name) ", level " (level) }
                    }
                }
            }
        }
    }
}

/// The board, and what stands around it, of a game that is being played.
fn play(game: Game, on_site: bool) -> Page {
    let seats = game.seats;
    let body = html! {
        (tabs(game.name()))
        h1 { "Play " (game.title()) }
        section.play id="play" data-game=(game.name()) data-drawn=[game.can(Capability::DrawnStart).then_some("yes")] {
            div.table {
                div.seat id="seat1" {}
                div.board id="board" { noscript { p { "The board needs scripts." } } }
                div.seat id="seat0" {}
                p.status id="status" role="status" {}
                div.actions id="actions" role="group" aria-label="this game" hidden {
                    button type="button" id="pass" { "Pass" }
                    button type="button" id="back" { "Take back" }
                    button type="button" id="hint" { "Hint" }
                    @if game.can(Capability::ForbiddenPoints) {
                        button type="button" id="forbidden" aria-expanded="false" { "Forbidden" }
                    }
                    button type="button" id="swap" { "Swap sides" }
                    button type="button" id="resign" { "Resign" }
                }
                ul.reasons id="reasons" hidden {}
            }
            div.side {
                form.stack id="new" {
                    h2 { "New game" }
                    div.fields {
                        label { (seats[0]) ", moves first" select name="first" { (players(game, "human")) } }
                        label { (seats[1]) select name="second" { (players(game, "champion:1")) } }
                        label { "Clock"
                            select name="clock" {
                                option value="" { "none" }
                                @for (value, text) in CLOCKS {
                                    option value=(value) { (text) }
                                }
                            }
                        }
                        @if game.can(Capability::Size) {
                            @for (name, text) in [("rows", "Rows"), ("columns", "Columns")] {
                                label { (text) input type="number" name=(name) min="1" max="8" value="8" required; }
                            }
                        }
                    }
                    label { "From a position or after moves"
                        input type="text" name="position" autocomplete="off" spellcheck="false"
                            placeholder={ (game.example) };
                    }
                    p.problem id="problem" role="alert" hidden {}
                    div.actions {
                        button.primary type="submit" { "New game" }
                        @if on_site { a.button href={ "/board/invite?game=" (game.name()) } { "Invite a friend" } }
                    }
                }
                ol.moves id="moves" aria-label="moves" {}
                div.actions role="group" aria-label="this game as a file or link" {
                    button type="button" id="link" { "Copy link" }
                    a.button id="analyse" href="/board/analysis" { "Analyse" }
                    button type="button" data-format="jsonl" { "Record" }
                    @if game.can(Capability::GameFiles) {
                        button type="button" data-format="sgf" { "SGF" }
                        button type="button" data-format="psq" { "PSQ" }
                    }
                }
                fieldset.settings {
                    legend { "Settings" }
                    label { input type="checkbox" id="sound"; " Sound" }
                    label { input type="checkbox" id="confirm"; " On a touch screen, a second touch plays" }
                }
                p.faint {
                    "Keys: Tab goes to the board, arrows move on it, Enter plays. "
                    kbd { "u" } " takes back, " kbd { "h" } " asks for a hint, "
                    kbd { "←" } " and " kbd { "→" } " look at earlier positions."
                }
                details { summary { "Rules in short" } ul { @for line in game.rules { li { (line) } } } }
            }
        }
    };
    Page::new(format!("Play {}", game.title()), body).with_script("play.js")
}

/// The board, the engine's lines, and the tree of variations.
fn analysis() -> Page {
    let body = html! {
        (tabs("analysis"))
        h1 { "Analysis" }
        section.analysis id="analysis" {
            div.table {
                div.measured {
                    div.evaluation id="bar" role="img" aria-label="evaluation" { div {} }
                    div.board id="board" { noscript { p { "The board needs scripts." } } }
                }
                div.actions role="group" aria-label="moves" {
                    button type="button" id="first" title="start" aria-label="start" { "«" }
                    button type="button" id="previous" title="back" aria-label="back" { "‹" }
                    button type="button" id="next" title="on" aria-label="on" { "›" }
                    button type="button" id="last" title="end" aria-label="end" { "»" }
                    button type="button" id="pass" { "Pass" }
                    button type="button" id="delete" { "Delete move" }
                    button type="button" id="promote" { "Main line" }
                }
                p.status id="status" role="status" {}
                div id="graph" {}
            }
            div.side {
                div.engine {
                    div.actions {
                        button type="button" id="engine" aria-pressed="true" { "Engine" }
                        label { "Lines "
                            select id="lines" {
                                @for n in [1, 2, 3, 5] { option value=(n) selected[n == 3] { (n) } }
                            }
                        }
                        button type="button" id="review" { "Mark mistakes" }
                    }
                    p.faint id="progress" {}
                    ol.lines id="found" aria-label="best lines" {}
                }
                div.tree id="tree" aria-label="moves and variations" {}
                form.stack id="load" {
                    label { "Load a game or a position"
                        textarea name="text" rows="3" spellcheck="false"
                            placeholder="A record, SGF, PSQ, FEN, or moves; or drop a file on the board" {}
                    }
                    div.fields {
                        label { "Game" select name="game" { @for game in Game::by_hand() {
                            option value=(game.name()) data-scale=(game.curve.scale)
                                data-drawn=[game.can(Capability::DrawnStart).then_some("yes")]
                                data-files=[game.can(Capability::GameFiles).then_some("yes")] { (game.title()) }
                        } } }
                    }
                    p.problem id="problem" role="alert" hidden {}
                    div.actions {
                        button.primary type="submit" { "Load" }
                        button type="button" id="fresh" { "Empty board" }
                    }
                }
                div.actions role="group" aria-label="this analysis as a file or link" {
                    button type="button" id="link" { "Copy link" }
                    button type="button" id="text" { "Moves as text" }
                    button type="button" data-format="jsonl" { "Record" }
                    button type="button" data-format="sgf" { "SGF" }
                    button type="button" data-format="psq" { "PSQ" }
                }
                p.faint {
                    "Keys: " kbd { "←" } " " kbd { "→" } " step, " kbd { "Home" } " " kbd { "End" } " the ends, "
                    kbd { "Space" } " plays the best move, " kbd { "e" } " engine on and off, "
                    kbd { "Delete" } " deletes the move."
                }
            }
        }
    };
    Page::new("Analysis", body).with_script("analyse.js")
}

/// A puzzle, and what can be done with it.
fn puzzles() -> Page {
    let body = html! {
        (tabs("puzzles"))
        h1 { "Puzzles" }
        section.play {
            div.table {
                div.board id="board" { noscript { p { "The board needs scripts." } } }
                p.status id="status" role="status" {}
            }
            div.side {
                div.actions {
                    label { "Game " select id="game" {
                        @for game in Game::which_can(Capability::Puzzles).into_iter().rev() {
                            option value=(game.name()) { (game.title()) }
                        }
                    } }
                    button.primary type="button" id="next" { "Next puzzle" }
                    button type="button" id="solution" disabled { "Show the solution" }
                    a.button id="analyse" href="/board/analysis" { "Analyse" }
                }
                p.faint id="grade" {}
                p.faint {
                    "Each puzzle is made from a game of the engines and proved: one move alone wins. "
                    "The address leads to the same puzzle again."
                }
            }
        }
    };
    Page::new("Puzzles", body).with_script("puzzles.js")
}
