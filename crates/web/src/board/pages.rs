//! The pages: what they are before their scripts begin.

use std::num::NonZero;
use std::thread;

use agon_arena::puzzles::PuzzleSet;
use agon_catalog::{Capability, Game, OPENING};
use maud::{Markup, html};

use super::dish;
use super::tabs::tabs;
use crate::layout::Page;
use crate::picture::{illustration, picture_at};
use crate::text::t;

/// The clocks that can be chosen: seconds for the game and for each move, and how they are called.
pub const CLOCKS: [(&str, &str); 4] = [
    ("60+0", "1 min each"),
    ("180+2", "3 min and 2 s a move"),
    ("300+0", "5 min each"),
    ("600+5", "10 min and 5 s a move"),
];

/// The looks of a board that can be chosen; `theme.js` knows them, too.
fn themes() -> [(&'static str, String); 5] {
    [
        ("", t!("boards-look-system")),
        ("wood", t!("boards-look-wood")),
        ("paper", t!("boards-look-paper")),
        ("dark", t!("boards-look-dark")),
        ("contrast", t!("boards-look-contrast")),
    ]
}

/// The page with all that can be played; on a site also by two people at two screens.
pub fn start(on_site: bool) -> Page {
    let body = html! {
        h1 { "Play and analyse" }
        p { "Against the built-in engines, at any level, or two people at one screen. Games stay in this browser." }
        ul.choices {
            @for game in Game::by_hand() {
                (choice(game.name(), game.title(), game.summary, &picture_of(game)))
            }
            @if on_site {
                (choice("invite", "Invite a friend", "two people, each at their own screen, by a link", &html! {}))
            }
            @for game in Game::which_can(Capability::Actions) {
                (choice(game.name(), game.title(), "choose two species, run them, and watch", &picture_of(game)))
            }
            (choice("puzzles", "Puzzles", "one move alone is right: find it", &puzzle(Capability::Threats)))
            (choice(
                "analysis", "Analysis", "the best lines of any position, of your games and of files",
                &puzzle(Capability::Lines),
            ))
        }
    };
    Page::new("Play and analyse", body)
}

/// A card of the first page.
fn choice(path: &str, title: &str, text: &str, picture: &Markup) -> Markup {
    html! {
        li { a href={ "/board/" (path) } { span.thumb { (picture) } strong { (title) } span.faint { (text) } } }
    }
}

/// The picture of a game; rules of others are not run for it.
fn picture_of(game: Game) -> Markup {
    if game.is_program() {
        html! {}
    } else {
        illustration(game)
    }
}

/// The position of the first puzzle of a game that can do this.
fn puzzle(capability: Capability) -> Markup {
    let mut sets = Game::which_can(capability).into_iter().filter_map(|game| PuzzleSet::own(game).ok().flatten());
    let first = sets.find_map(|set| Some((set.game, set.puzzles.first()?)));
    first.map_or_else(|| html! {}, |(game, puzzle)| picture_at(game, &puzzle.position))
}

/// The page of this name: a game, or `analysis`.
///
/// `agents` gives the agents of the user that can play a game: how a page names them, and what people call them.
pub fn titled(name: &str, on_site: bool, agents: &dyn Fn(Game) -> Vec<(String, String)>) -> Option<Page> {
    match name {
        "analysis" => Some(analysis(on_site)),
        "petri" => Some(dish::form()),
        "puzzles" => Some(puzzles()),
        name => {
            let game = Game::by_name(name)?;
            game.has_turns().then(|| play(game, on_site, &agents(game)))
        }
    }
}

/// Who can sit in a seat: a person, the user's own agents, and every built-in at every level.
fn players(game: Game, chosen: &str, agents: &[(String, String)]) -> Markup {
    html! {
        option value="human" selected[chosen == "human"] { "a person" }
        @for (value, name) in agents {
            option value=(value) selected[chosen == value] { (name) }
        }
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

/// Whom a person meets who has chosen no opponent.
fn first_opponent(game: Game) -> &'static str {
    let named = game.find("champion:1").is_ok().then_some("champion:1");
    named.or(game.defaults.first().copied()).unwrap_or_default()
}

/// The board, and what stands around it, of a game that is being played.
fn play(game: Game, on_site: bool, agents: &[(String, String)]) -> Page {
    let seats = game.seats;
    // Whoever brings a program wants to see it play.
    let opponent = agents.first().map_or_else(|| first_opponent(game), |(value, _)| value.as_str());
    let body = html! {
        (tabs(game.name()))
        h1.hidden { "Play " (game.title()) }
        section.play id="play" data-game=(game.name()) data-drawn=[game.is_seeded().then_some("yes")] {
            div.table {
                div.seat id="seat1" {}
                div.board id="board" { noscript { p { "The board needs scripts." } } }
                div.seat id="seat0" {}
            }
            div.beside {
                p.status id="status" role="status" {}
                div.actions id="actions" role="group" aria-label="this game" hidden {
                    button type="button" id="pass" hidden[game.is_program()] { "Pass" }
                    button type="button" id="back" { "Take back" }
                    button type="button" id="hint" { "Hint" }
                    @if game.can(Capability::ForbiddenPoints) {
                        button type="button" id="forbidden" aria-expanded="false" { "Forbidden" }
                    }
                    button type="button" id="swap" { "Swap sides" }
                    button type="button" id="resign" { "Resign" }
                    button type="button" id="zoom" aria-pressed="false" hidden { "Zoom" }
                }
                @if game.is_program() {
                    div.actions id="others" role="group" aria-label="moves without a place on the board" hidden {}
                }
                ul.reasons id="reasons" hidden {}
                ol.moves id="moves" aria-label="moves" {}
                @if !agents.is_empty() {
                    section.thinking id="thinking" hidden {
                        h2 { "Its thinking" }
                        p.faint id="thought" {}
                        pre id="stderr" tabindex="0" aria-label="error stream of this move" {}
                    }
                }
                div.actions role="group" aria-label="this game as a file or link" {
                    button type="button" id="link" { "Copy link" }
                    a.button id="analyse" href="/board/analysis" { "Analyse" }
                    button type="button" data-format="jsonl" { "Record" }
                    @if game.can(Capability::GameFiles) {
                        button type="button" data-format="sgf" { "SGF" }
                        button type="button" data-format="psq" { "PSQ" }
                    }
                }
            }
            div.side {
                form.stack id="new" {
                    h2 { "New game" }
                    div.fields {
                        label { (seats[0]) ", moves first" select name="first" { (players(game, "human", agents)) } }
                        label { (seats[1]) select name="second" { (players(game, opponent, agents)) } }
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
                        @if game.is_program() {
                            @for parameter in game.parameters.iter().filter(|one| one.name != OPENING.name) {
                                label { (parameter.meaning)
                                    input type="text" data-parameter=(parameter.name) autocomplete="off"
                                        placeholder=(parameter.default) title=(parameter.values);
                                }
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
                (settings())
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

/// How boards look and sound, kept in the browser.
pub fn settings() -> Markup {
    html! {
        fieldset.settings {
            legend { (t!("boards-settings")) }
            label { input type="checkbox" id="sound"; (t!("boards-sound")) }
            label { input type="checkbox" id="confirm"; (t!("boards-confirm")) }
            label { (t!("boards-look")) " "
                select id="theme" { @for (value, text) in themes() { option value=(value) { (text) } } }
            }
        }
    }
}

/// The board, the engine's lines, and the studies of this browser.
fn analysis(on_site: bool) -> Page {
    let body = html! {
        (tabs("analysis"))
        h1.hidden { "Analysis" }
        section.analysis id="analysis" {
            div.table {
                div.measured {
                    div.evaluation id="bar" role="img" aria-label="evaluation" { div {} }
                    div.board id="board" { noscript { p { "The board needs scripts." } } }
                }
                div.actions id="steps" role="group" aria-label="moves" {
                    button type="button" id="first" title="start" aria-label="start" { "«" }
                    button type="button" id="previous" title="back" aria-label="back" { "‹" }
                    button type="button" id="next" title="on" aria-label="on" { "›" }
                    button type="button" id="last" title="end" aria-label="end" { "»" }
                    button type="button" id="pass" { "Pass" }
                    button type="button" id="undo" title="undo" aria-label="undo" disabled { "↶" }
                    button type="button" id="redo" title="redo" aria-label="redo" disabled { "↷" }
                    button type="button" id="draw" aria-pressed="false" { "Draw" }
                    button type="button" id="zoom" aria-pressed="false" hidden { "Zoom" }
                }
                p.status id="status" role="status" {}
            }
            div.beside {
                div.actions.views id="views" role="group" aria-label="what stands beside the board" {
                    button type="button" data-view="lines" aria-pressed="true" { "Analysis" }
                    button type="button" data-view="files" aria-pressed="false" { "Studies and files" }
                    button type="button" data-view="editor" aria-pressed="false" { "Set up" }
                    button type="button" data-view="look" aria-pressed="false" { "Settings" }
                }
                div.view id="lines-view" {
                    (engine_panel(on_site))
                    p id="place" {}
                    div.tree id="tree" role="group" aria-label="moves and variations" {}
                    (note_panel())
                    div id="graph" {}
                    p id="report" role="status" {}
                }
                div.view id="files-view" hidden { (file_panel()) }
                div.view id="editor-view" hidden { div id="palette" {} }
                div.view id="look-view" hidden {
                    fieldset.settings {
                        legend { "Settings" }
                        label { "Board "
                            select id="theme" { @for (value, text) in themes() { option value=(value) { (text) } } }
                        }
                        label { input type="checkbox" id="numbers"; " Numbers on pieces" }
                        label { input type="checkbox" id="hidden-too"; " The engine goes on in a hidden tab" }
                        label { input type="checkbox" id="sound"; " Sound" }
                        label { input type="checkbox" id="confirm"; " On a touch screen, a second touch plays" }
                    }
                    (key_list())
                }
            }
        }
    };
    Page::new("Analysis", body).with_script("analyse.js")
}

/// What the engine finds.
fn engine_panel(on_site: bool) -> Markup {
    // A site gives each search one thread.
    let threads = if on_site { 1 } else { thread::available_parallelism().map_or(1, NonZero::get) };
    html! {
        div.engine {
            div.actions {
                button type="button" id="engine" aria-pressed="true" { "Engine" }
                label { "Lines "
                    select id="lines" {
                        @for n in 1..=10 { option value=(n) selected[n == 3] { (n) } }
                    }
                }
                @if threads > 1 {
                    label id="with-threads" { "Threads "
                        select id="threads" { @for n in 1..=threads { option value=(n) { (n) } } }
                    }
                }
                button type="button" id="threat" aria-pressed="false" title="what the other side would do" { "Threat" }
                button type="button" id="review" { "Mark mistakes" }
                button type="button" id="next-mistake" { "Next mistake" }
                button type="button" id="retry" hidden title="find a better move than the mistake" { "Try again" }
            }
            p.faint id="progress" {}
            div.answers {
                p.known id="known" hidden {}
                ol.lines id="found" aria-label="best lines" {}
            }
            details id="more" {
                summary { "Which moves" }
                div.actions {
                    label { "Only, or without " input type="text" id="consider" size="14" autocomplete="off"
                        spellcheck="false" placeholder="H9 G7, or -H9"; }
                    button type="button" id="balance" aria-pressed="false"
                        title="the moves after which neither side is ahead come first" { "Balance" }
                    @if !on_site {
                        label { "Hash " select id="hash" {
                            @for mib in [8, 64, 256, 1024] { option value=(mib) { (mib) " MiB" } }
                        } }
                    }
                }
            }
            details id="explorer" {
                summary { "Explorer" }
                div id="explored" {}
            }
        }
    }
}

/// What is written and drawn at a move, and where it stands in the tree.
fn note_panel() -> Markup {
    html! {
        div.notes {
            div.actions id="signs" role="group" aria-label="signs" {}
            div.actions id="tools" role="group" aria-label="drawing" hidden {}
            label.hidden for="comment" { "Comment" }
            textarea id="comment" rows="2" placeholder="Comment" maxlength="20000" {}
            div.actions {
                button.small type="button" id="promote" { "Main line" }
                button.small type="button" id="raise" { "Move up" }
                button.small type="button" id="delete" { "Delete move" }
                button.small type="button" id="elsewhere" { "Find in studies" }
            }
            ul.plain id="same" hidden {}
        }
    }
}

/// Studies, and games that are loaded and saved.
fn file_panel() -> Markup {
    html! {
        div id="library" {}
        ul.plain id="reviewed" role="status" {}
        div.actions {
            button type="button" id="new-study" { "New study" }
            button type="button" id="save-all" { "Save all studies" }
            button type="button" id="fresh" { "Empty board" }
        }
        form.stack id="load" {
            label { "Load a game or a position"
                textarea name="text" rows="3" spellcheck="false"
                    placeholder="A study, a record, SGF, PSQ, FEN, or moves; or drop a file on the page" {}
            }
            div.fields {
                label { "Game" select name="game" { @for game in Game::by_hand() {
                    option value=(game.name()) data-scale=(game.curve.scale)
                        data-drawn=[game.is_seeded().then_some("yes")]
                        data-solved=[game.can(Capability::Solving).then_some("yes")]
                        data-parallel=[game.can(Capability::ParallelSearch).then_some("yes")]
                        data-files=[game.can(Capability::GameFiles).then_some("yes")] { (game.title()) }
                } } }
                label { "File" input type="file" name="file"; }
            }
            p.problem id="problem" role="alert" hidden {}
            div.actions { button.primary type="submit" { "Load" } }
        }
        div.actions role="group" aria-label="this chapter as a file or link" {
            button type="button" id="link" { "Copy link" }
            button type="button" id="text" { "Moves as text" }
            button type="button" data-format="jsonl" { "Record" }
            button type="button" data-format="sgf" { "SGF" }
            button type="button" data-format="psq" { "PSQ" }
        }
        p.faint id="lasting" {}
    }
}

fn key_list() -> Markup {
    let keys = [
        ("← →", "step"),
        ("↑ ↓", "the variations of a move"),
        ("Home End", "the ends"),
        ("Space", "plays the best move"),
        ("c", "copies the first line into the tree, or the one under the mouse"),
        ("e", "engine on and off"),
        ("x", "what the other side would do"),
        ("m", "the next mistake"),
        ("r", "tries a mistake again: find a better move"),
        ("b", "the moves that keep the balance come first"),
        ("d", "draw; with the right button at any time"),
        ("Ctrl Z, Ctrl Y", "undo, redo"),
        ("Delete", "deletes the move"),
    ];
    html! {
        dl.keys { @for (key, does) in keys { dt { kbd { (key) } } dd { (does) } } }
    }
}

/// A puzzle, and what can be done with it.
fn puzzles() -> Page {
    let body = html! {
        (tabs("puzzles"))
        h1.hidden { "Puzzles" }
        section.play {
            div.table {
                div.board id="board" { noscript { p { "The board needs scripts." } } }
            }
            div.beside {
                p.status id="status" role="status" {}
                div.actions role="group" aria-label="this puzzle" {
                    button type="button" id="again" hidden { "Try again" }
                    button type="button" id="pass" hidden { "Pass" }
                    button.primary type="button" id="next" { "Next puzzle" }
                    button type="button" id="solution" disabled { "Show the solution" }
                    a.button id="analyse" href="/board/analysis" { "Analyse" }
                    button type="button" id="zoom" aria-pressed="false" hidden { "Zoom" }
                }
                div.actions role="group" aria-label="which puzzles" {
                    label { "Game " select id="game" {
                        @for game in Game::which_can(Capability::Puzzles).into_iter().rev() {
                            option value=(game.name()) { (game.title()) }
                        }
                    } }
                    label { "Kind " select id="kind" { option value="" { "all kinds" } } }
                    label { "Grade " select id="level" {
                        option value="" { "1 to 5" }
                        @for grade in 1..=5 { option value=(grade) { (grade) } }
                    } }
                }
                div.actions role="group" aria-label="other puzzles" {
                    button type="button" id="daily" { "Puzzle of the day" }
                    button type="button" id="own" { "From my games" }
                }
                p.faint id="grade" {}
                p.faint id="counts" {}
                p.faint {
                    "One move alone is right at first, as is proved. Play on to the end: the answers are the toughest, "
                    "and every move that wins is right. The address leads to the same puzzle again."
                }
            }
        }
    };
    Page::new("Puzzles", body).with_script("puzzles.js")
}
