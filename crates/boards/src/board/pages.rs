//! The pages before their scripts run.

use std::num::NonZero;
use std::thread;

use agon_analysis::puzzles::PuzzleSet;
use agon_catalog::{Capability, Game, OPENING};
use agon_game::SeatName;
use agon_rules::renju::Opening;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::dish;
use super::files::FileBounds;
use super::host::BoardHost;
use super::opening_rules;
use super::tabs::tabs;
use crate::engines;
use crate::layout::Page;
use crate::limits;
use crate::picture::{illustration, picture_at};
use crate::text::{ParameterText, game_rules, game_summary, game_title, inline_json, localized, rich, t};

/// The clocks that can be chosen: seconds for the game and for each move.
pub const CLOCKS: [&str; 4] = ["60+0", "180+2", "300+0", "600+5"];

/// A clock in words; unchanged if it is not an offered one.
pub fn clock_words(value: &str) -> String {
    match value {
        "60+0" => t!("shared-clock-1"),
        "180+2" => t!("shared-clock-3"),
        "300+0" => t!("shared-clock-5"),
        "600+5" => t!("shared-clock-10"),
        other => other.to_owned(),
    }
}

/// The available looks of a board; `theme.js` knows them, too.
fn themes() -> [(&'static str, String); 5] {
    [
        ("", t!("boards-look-system")),
        ("wood", t!("boards-look-wood")),
        ("paper", t!("boards-look-paper")),
        ("dark", t!("boards-look-dark")),
        ("contrast", t!("boards-look-contrast")),
    ]
}

/// The page with everything that can be played; on a site also by two people on two screens.
pub fn start(host: BoardHost) -> Page {
    let body = html! {
        h1 { (t!("boards-title")) }
        p { (t!("boards-intro")) }
        section.now {
            div.going id="going" hidden {
                h2 { (t!("boards-going")) }
                ul.plain.actions {}
            }
            div {
                h2 { (t!("boards-play-now")) }
                @for game in Game::by_hand().filter(|game| !game.is_program()) { (levels(game)) }
                div.actions {
                    strong { (t!("boards-puzzles")) }
                    a.button href="/board/puzzles" { (t!("boards-puzzle-daily")) }
                }
            }
        }
        ul.choices {
            @for game in Game::by_hand() {
                (choice(game.name(), &game_title(game), &game_summary(game), &picture_of(game)))
            }
            @if host.is_site() {
                (choice("invite", &t!("boards-invite"), &t!("boards-invite-way"), &html! {}))
            }
            @for game in Game::which_can(Capability::Actions) {
                (choice(game.name(), &game_title(game), &t!("boards-petri-way"), &picture_of(game)))
            }
            (choice(
                "puzzles", &t!("boards-puzzles"), &t!("boards-puzzles-way"), &puzzle(Capability::Threats),
            ))
            (choice(
                "analysis", &t!("boards-analysis"), &t!("boards-analysis-way"), &puzzle(Capability::Lines),
            ))
        }
    };
    let page = Page::new(t!("boards-title"), body).with_script("going.js");
    page.with_head(html! { @if host == BoardHost::Folder { (host.head()) } })
}

/// Links to games against the strongest builtin with levels, at each of them.
fn levels(game: Game) -> Markup {
    let found = game.builtins.iter().rev().find_map(|builtin| Some((builtin.name, builtin.levels()?)));
    let Some((name, highest)) = found else { return html! {} };
    let place = format!("/board/{}#first=human&second={name}", game.name());
    html! {
        div.actions.by-level role="group" aria-label={ (game_title(game)) ", " (t!("boards-by-level")) } {
            span { strong { (game_title(game)) } " " span.faint { (t!("boards-by-level")) } }
            @for level in 1..=highest {
                a.button href={ (place) ":" (level) } { (level) }
            }
        }
    }
}

/// A card of the first page.
fn choice(path: &str, title: &str, text: &str, picture: &Markup) -> Markup {
    html! {
        li { a href={ "/board/" (path) } { span.thumb { (picture) } strong { (title) } span.faint { (text) } } }
    }
}

/// The picture of a game; users' rules are not run for it.
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

/// The programs offered besides the built-ins.
#[derive(Default)]
pub struct Offered {
    /// The programs' names for the page, and their names for display.
    pub programs: Vec<(String, String)>,
    /// The default opponent of a new game.
    pub chosen: Option<String>,
}

impl Offered {
    /// These, with the first one as the opponent: users who bring a program want to see it play.
    pub(crate) fn first_of(programs: Vec<(String, String)>) -> Self {
        let chosen = programs.first().map(|(value, _)| value.clone());
        Self { programs, chosen }
    }
}

/// The page of this name: a game, or `analysis`. `offered` gives the programs that can play a game.
pub fn titled(name: &str, host: BoardHost, offered: impl FnOnce(Game) -> Offered) -> Option<Page> {
    match name {
        "analysis" => Some(analysis(host)),
        "petri" => Some(dish::form(host)),
        "puzzles" => Some(puzzles(host)),
        name => {
            let game = Game::by_name(name)?;
            game.has_moves().then(|| play(game, host, &offered(game)))
        }
    }
}

/// The name of a built-in player with levels.
fn spoken(name: &str) -> String {
    if name == "champion" { t!("boards-champion") } else { name.to_owned() }
}

/// Who can take a seat: a person, the user's own agents, and every built-in at every level.
fn players(game: Game, chosen: &str, agents: &[(String, String)]) -> Markup {
    html! {
        option value="human" selected[chosen == "human"] { (t!("boards-person")) }
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
                        option value=(value) selected[chosen == value] {
                            (t!("boards-level", name = spoken(name), level = level))
                        }
                    }
                }
            }
        }
    }
}

/// The opponent of a person who has chosen none.
fn first_opponent(game: Game) -> &'static str {
    let named = game.find("champion:1").is_ok().then_some("champion:1");
    named.or(game.defaults.first().copied()).unwrap_or_default()
}

/// What a program thought of its move.
fn thinking() -> Markup {
    html! {
        section.thinking id="thinking" hidden {
            h2 { (t!("boards-thinking")) }
            p.faint id="thought" {}
            pre id="stderr" tabindex="0" aria-label=(t!("boards-stderr")) {}
        }
    }
}

/// The board, and its surroundings, for a game in progress.
fn play(game: Game, host: BoardHost, offered: &Offered) -> Page {
    let (seats, agents) = (game.seats, &offered.programs);
    let opponent = offered.chosen.as_deref().unwrap_or_else(|| first_opponent(game));
    let body = html! {
        (tabs(game.name()))
        h1.hidden { (t!("boards-play", game = game_title(game))) }
        section.play id="play" data-game=(game.name()) data-secret[!game.has_turns()]
            data-drawn=[game.is_seeded().then_some("yes")]
            data-chosen=[host.is_site().then_some(offered.chosen.as_deref()).flatten()] {
            div.table {
                div.seat id="seat1" {}
                div.board id="board" { noscript { p { (t!("shared-scripts")) } } }
                div.seat id="seat0" {}
            }
            div.beside {
                p.status id="status" role="status" {}
                div.actions id="actions" role="group" aria-label=(t!("shared-actions")) hidden {
                    button type="button" id="pass" hidden[game.is_program()] { (t!("shared-pass")) }
                    button type="button" id="back" { (t!("shared-back")) }
                    button type="button" id="hint" { (t!("boards-hint")) }
                    @if game.can(Capability::ForbiddenPoints) {
                        button type="button" id="forbidden" aria-expanded="false" { (t!("shared-forbidden")) }
                    }
                    button type="button" id="swap" { (t!("boards-swap")) }
                    button type="button" id="resign" data-really=(t!("shared-really")) { (t!("shared-resign")) }
                    button type="button" id="zoom" aria-pressed="false" hidden { (t!("shared-zoom")) }
                }
                @if game.is_program() {
                    div.actions id="others" role="group" aria-label=(t!("boards-others")) hidden {}
                }
                @if game.can(Capability::GameFiles) { (opening_rules::panel()) }
                ul.reasons id="reasons" hidden {}
                ol.moves id="moves" aria-label=(t!("shared-moves")) {}
                p.faint.opening id="opening" {}
                @if !agents.is_empty() { (thinking()) }
                div.actions role="group" aria-label=(t!("shared-files")) {
                    button type="button" id="link" { (t!("boards-link")) }
                    a.button id="analyse" href="/board/analysis" { (t!("shared-analyse")) }
                    // A record requires a referee's proof.
                    @if host != BoardHost::Folder {
                        button type="button" data-format="jsonl" { (t!("shared-record")) }
                    }
                    @if game.can(Capability::GameFiles) {
                        button type="button" data-format="sgf" { "SGF" }
                        button type="button" data-format="psq" { "PSQ" }
                    }
                    (diagrams())
                }
            }
            div.side {
                form.stack id="new" {
                    h2 { (t!("boards-new")) }
                    div.fields {
                        label {
                            (t!("boards-first", seat = localized(&SeatName::from(seats[0]))))
                            select name="first" { (players(game, "human", agents)) }
                        }
                        label {
                            (localized(&SeatName::from(seats[1])))
                            select name="second" { (players(game, opponent, agents)) }
                        }
                        label { (t!("shared-clock"))
                            select name="clock" {
                                option value="" { (t!("shared-no-clock")) }
                                @for value in CLOCKS { option value=(value) { (clock_words(value)) } }
                            }
                        }
                        @if game.can(Capability::GameFiles) { (opening_rules::fields()) }
                        @if game.can(Capability::Size) {
                            @for (name, text) in [("rows", t!("boards-rows")), ("columns", t!("boards-columns"))] {
                                label { (text) input type="number" name=(name) min="1" max="8" value="8" required; }
                            }
                        }
                        @if game.is_program() { (parameters(game)) }
                    }
                    label { (t!("boards-position"))
                        input type="text" name="position" autocomplete="off" spellcheck="false"
                            placeholder={ (game.example) };
                    }
                    p.problem id="problem" role="alert" hidden {}
                    div.actions {
                        button.primary type="submit" { (t!("boards-new")) }
                        @if host.is_site() {
                            a.button href={ "/board/invite?game=" (game.name()) } { (t!("boards-invite")) }
                        }
                    }
                }
                (settings())
                (engines::choice(host.searches()))
                (play_keys())
                details { summary { (t!("shared-rules")) } ul { @for line in game_rules(game) { li { (line) } } } }
            }
        }
    };
    let head = html! { (host.head()) @if game.can(Capability::GameFiles) { (openings()) } };
    Page::new(t!("boards-play", game = game_title(game)), body).with_head(head).with_script("play.js")
}

/// The parameters of a game, but for its opening.
fn parameters(game: Game) -> Markup {
    html! {
        @for parameter in game.parameters.iter().filter(|one| one.name != OPENING.name) {
            @let text = ParameterText::new(game, parameter);
            label { (text.meaning)
                input type="text" data-parameter=(parameter.name) autocomplete="off" placeholder=(text.default)
                    title=(text.values);
            }
        }
    }
}

/// What keys do in a game.
fn play_keys() -> Markup {
    html! {
        p.faint {
            (rich!(
                "boards-keys",
                u = html! { kbd { "u" } }, h = html! { kbd { "h" } },
                left = html! { kbd { "←" } }, right = html! { kbd { "→" } },
            ))
        }
    }
}

/// The openings of renju for scripts: code, name, and the three moves.
fn openings() -> Markup {
    let row = |opening: &Opening| {
        let moves = opening.stones().map(|point| format!("{} {}", point.row(), point.column()));
        json!([opening.code(), localized(opening), moves])
    };
    let rows: Vec<Value> = Opening::ALL.iter().map(row).collect();
    html! { script type="application/json" id="openings" { (inline_json(&rows.into())) } }
}

/// Settings for the look and sound of boards, kept in the browser.
pub fn settings() -> Markup {
    html! {
        fieldset.settings {
            legend { (t!("boards-settings")) }
            label { input type="checkbox" id="sound"; (t!("boards-sound")) }
            label { input type="checkbox" id="confirm"; (t!("boards-confirm")) }
            label { input type="checkbox" id="dots"; (t!("boards-dots")) }
            label { (t!("boards-look")) " "
                select id="theme" { @for (value, text) in themes() { option value=(value) { (text) } } }
            }
            (turns())
        }
    }
}

/// The buttons that turn and mirror the board.
fn turns() -> Markup {
    html! {
        div.actions {
            button.small type="button" id="turn" { (t!("boards-turn")) }
            button.small type="button" id="mirror" { (t!("boards-mirror")) }
        }
    }
}

/// The buttons that save the board as a picture.
fn diagrams() -> Markup {
    html! {
        @for (kind, name) in [("svg", "SVG"), ("png", "PNG")] {
            button type="button" data-picture=(kind) { (t!("boards-diagram", format = name)) }
        }
    }
}

/// The board, the engine's lines, and the studies of this browser.
fn analysis(host: BoardHost) -> Page {
    let body = html! {
        (tabs("analysis"))
        h1.hidden { (t!("boards-analysis")) }
        section.analysis id="analysis" {
            div.table {
                div.measured {
                    div.evaluation id="bar" role="img" aria-label=(t!("boards-evaluation")) { div {} }
                    div.board id="board" { noscript { p { (t!("shared-scripts")) } } }
                }
                div.actions id="steps" role="group" aria-label=(t!("shared-moves")) {
                    @for (id, name, sign) in [
                        ("first", t!("boards-start"), "«"),
                        ("previous", t!("boards-backward"), "‹"),
                        ("next", t!("boards-forward"), "›"),
                        ("last", t!("boards-end"), "»"),
                    ] {
                        button type="button" id=(id) title=(name) aria-label=(name) { (sign) }
                    }
                    button type="button" id="pass" { (t!("shared-pass")) }
                    @for (id, name, sign) in [("undo", t!("boards-undo"), "↶"), ("redo", t!("boards-redo"), "↷")] {
                        button type="button" id=(id) title=(name) aria-label=(name) disabled { (sign) }
                    }
                    button type="button" id="draw" aria-pressed="false" { (t!("boards-draw")) }
                    button type="button" id="forbidden" aria-expanded="false" hidden { (t!("shared-forbidden")) }
                    button type="button" id="zoom" aria-pressed="false" hidden { (t!("shared-zoom")) }
                }
                p.status id="status" role="status" {}
            }
            div.beside {
                div.actions.views id="views" role="group" aria-label=(t!("boards-views")) {
                    button type="button" data-view="lines" aria-pressed="true" { (t!("boards-analysis")) }
                    button type="button" data-view="files" aria-pressed="false" { (t!("boards-studies")) }
                    button type="button" data-view="editor" aria-pressed="false" { (t!("boards-setup")) }
                    button type="button" data-view="look" aria-pressed="false" { (t!("boards-settings")) }
                }
                ul.reasons id="reasons" hidden {}
                div.view id="lines-view" {
                    (engine_panel(host))
                    p { span id="place" {} " " span.faint id="opening" {} }
                    div.tree id="tree" role="group" aria-label=(t!("boards-tree")) {}
                    (note_panel())
                    (engines::choice(host.searches()))
                }
                div.view id="files-view" hidden { (file_panel(host)) }
                div.view id="editor-view" hidden { div id="palette" {} }
                div.view id="look-view" hidden {
                    fieldset.settings {
                        legend { (t!("boards-settings")) }
                        label { (t!("boards-look")) " "
                            select id="theme" { @for (value, text) in themes() { option value=(value) { (text) } } }
                        }
                        label { input type="checkbox" id="numbers"; (t!("boards-numbers")) }
                        label { input type="checkbox" id="next-moves"; (t!("boards-next-moves")) }
                        label { input type="checkbox" id="hidden-too"; (t!("boards-hidden")) }
                        label { input type="checkbox" id="sound"; (t!("boards-sound")) }
                        label { input type="checkbox" id="confirm"; (t!("boards-confirm")) }
                        (turns())
                    }
                    (key_list())
                }
            }
            div.side {
                div id="graph" {}
                p id="report" role="status" {}
                ul.plain.mistakes id="mistakes" aria-label=(t!("boards-mistakes")) hidden {}
            }
        }
    };
    let head = html! { (host.head()) (openings()) };
    Page::new(t!("boards-analysis"), body).with_head(head).with_script("analyse.js")
}

/// The engine's findings.
fn engine_panel(host: BoardHost) -> Markup {
    // A site gives each search one thread.
    let threads = if host == BoardHost::Machine { thread::available_parallelism().map_or(1, NonZero::get) } else { 1 };
    // A browser refuses a gibibyte.
    let hashes: &[u32] = if host == BoardHost::Folder { &[8, 64, 256] } else { &[8, 64, 256, 1024] };
    html! {
        div.engine {
            div.actions {
                button type="button" id="engine" aria-pressed="true" { (t!("boards-engine")) }
                label { (t!("boards-lines")) " "
                    select id="lines" {
                        @for n in 1..=10 { option value=(n) selected[n == 3] { (n) } }
                    }
                }
                button type="button" id="threat" aria-pressed="false"
                    title=(t!("boards-threat-title")) { (t!("boards-threat")) }
                button type="button" id="review" { (t!("boards-review")) }
                button type="button" id="next-mistake" hidden { (t!("boards-next-mistake")) }
                button type="button" id="retry" hidden title=(t!("boards-retry-title")) { (t!("boards-retry")) }
            }
            p.faint id="progress" {}
            div.answers {
                p.known id="known" hidden {}
                ol.lines id="found" aria-label=(t!("boards-best")) {}
            }
            details id="more" {
                summary { (t!("boards-which")) }
                div.actions {
                    label { (t!("boards-only")) " " input type="text" id="consider" size="14" autocomplete="off"
                        spellcheck="false" placeholder=(t!("boards-only-example")); }
                    button type="button" id="balance" aria-pressed="false"
                        title=(t!("boards-balance-title")) { (t!("boards-balance")) }
                    label id="with-threads" data-server=(threads) hidden {
                        (t!("boards-threads")) " " select id="threads" {}
                    }
                    @if !host.is_site() {
                        label { (t!("boards-hash")) " " select id="hash" {
                            @for &mib in hashes { option value=(mib) selected[mib == 64] { (mib) " MiB" } }
                        } }
                    }
                }
            }
            details id="explorer" {
                summary { (t!("boards-explorer")) }
                div.actions {
                    label { input type="checkbox" id="explore-engines"; (t!("boards-explore-engines")) }
                    label { input type="checkbox" id="explore-own"; (t!("boards-explore-own")) }
                }
                div id="explored" {}
            }
        }
    }
}

/// The texts and drawings at a move, and its place in the tree.
fn note_panel() -> Markup {
    html! {
        div.notes {
            div.actions id="signs" role="group" aria-label=(t!("boards-signs")) {}
            div.actions id="tools" role="group" aria-label=(t!("boards-drawing")) hidden {}
            label.hidden for="comment" { (t!("boards-comment")) }
            textarea id="comment" rows="2" placeholder=(t!("boards-comment")) maxlength="20000" {}
            div.actions {
                button.small type="button" id="promote" { (t!("boards-promote")) }
                button.small type="button" id="raise" { (t!("boards-raise")) }
                button.small type="button" id="delete" { (t!("boards-delete")) }
                button.small type="button" id="elsewhere" { (t!("boards-elsewhere")) }
            }
            ul.plain id="same" hidden {}
        }
    }
}

/// Studies, and games that are loaded and saved.
fn file_panel(host: BoardHost) -> Markup {
    let most = FileBounds::of_page(host.is_site()).file;
    let size = limits::bytes(most as u64);
    html! {
        div.actions {
            button type="button" id="fresh" { (t!("boards-fresh")) }
            button type="button" id="new-study" { (t!("boards-new-study")) }
            button type="button" id="save-all" { (t!("boards-save-all")) }
        }
        div id="library" {}
        ul.plain id="reviewed" role="status" {}
        form.stack id="load" {
            label { (t!("boards-load-label"))
                textarea name="text" rows="3" spellcheck="false"
                    placeholder=(t!("boards-load-example")) {}
            }
            div.fields {
                label { (t!("shared-game")) select name="game" {
                    @for game in Game::by_hand().filter(|game| game.has_turns()) {
                        option value=(game.name()) data-scale=(game.curve.scale)
                            data-drawn=[game.is_seeded().then_some("yes")]
                            data-solved=[game.can(Capability::Solving).then_some("yes")]
                            data-parallel=[game.can(Capability::ParallelSearch).then_some("yes")]
                            data-files=[game.can(Capability::GameFiles).then_some("yes")] { (game_title(game)) }
                    }
                } }
                label { (t!("boards-file")) input type="file" name="file" data-most=(most); }
            }
            p.problem id="problem" role="alert" hidden {}
            div.actions { button.primary type="submit" { (t!("boards-load")) } }
            p.faint id="most" {
                (t!("boards-file-most", size = size))
                @if host.is_site() {
                    " " (t!("boards-file-larger"))
                    " " code { "agon board" } ", " code { "agon convert FILE PART.sgf --game N" }
                }
            }
            p.faint id="into" {}
        }
        div.actions role="group" aria-label=(t!("boards-chapter-files")) {
            button type="button" id="link" { (t!("boards-link")) }
            button type="button" id="text" { (t!("boards-text")) }
            // A record requires a referee's proof.
            @if host != BoardHost::Folder { button type="button" data-format="jsonl" { (t!("shared-record")) } }
            @for format in ["sgf", "lib", "psq", "pos"] {
                button type="button" data-format=(format) { (format.to_uppercase()) }
            }
            (diagrams())
            button type="button" id="print" { (t!("boards-print")) }
        }
        p.faint id="lasting" {}
    }
}

fn key_list() -> Markup {
    let space = t!("boards-key-space");
    let keys = [
        ("← →", t!("boards-key-step")),
        ("↑ ↓", t!("boards-key-variations")),
        ("Home End", t!("boards-key-ends")),
        (&space, t!("boards-key-best")),
        ("c", t!("boards-key-copy")),
        ("e", t!("boards-key-engine")),
        ("x", t!("boards-threat-title")),
        ("m", t!("boards-key-mistake")),
        ("r", t!("boards-key-retry")),
        ("b", t!("boards-key-balance")),
        ("d", t!("boards-key-draw")),
        ("t f", t!("boards-key-turn")),
        ("Ctrl Z, Ctrl Y", t!("boards-key-undo")),
        ("Delete", t!("boards-key-delete")),
    ];
    html! {
        dl.keys { @for (key, does) in keys { dt { kbd { (key) } } dd { (does) } } }
    }
}

/// A puzzle and its controls.
fn puzzles(host: BoardHost) -> Page {
    let body = html! {
        (tabs("puzzles"))
        h1.hidden { (t!("boards-puzzles")) }
        section.play {
            div.table {
                div.board id="board" { noscript { p { (t!("shared-scripts")) } } }
            }
            div.beside {
                p.status id="status" role="status" {}
                div.actions role="group" aria-label=(t!("boards-puzzle")) {
                    button type="button" id="again" hidden { (t!("boards-retry")) }
                    button type="button" id="pass" hidden { (t!("shared-pass")) }
                    button.primary type="button" id="next" { (t!("boards-puzzle-next")) }
                    button type="button" id="solution" disabled { (t!("boards-puzzle-solution")) }
                    button type="button" id="threat" title=(t!("boards-threat-title")) hidden { (t!("boards-threat")) }
                    button type="button" id="forbidden" aria-expanded="false" hidden { (t!("shared-forbidden")) }
                    a.button id="analyse" href="/board/analysis" { (t!("shared-analyse")) }
                    button type="button" id="zoom" aria-pressed="false" hidden { (t!("shared-zoom")) }
                }
                ul.reasons id="reasons" hidden {}
                div.actions role="group" aria-label=(t!("boards-puzzle-which")) {
                    label { (t!("shared-game")) " " select id="game" {
                        @for game in Game::which_can(Capability::Puzzles).into_iter().rev() {
                            option value=(game.name()) { (game_title(game)) }
                        }
                    } }
                    label { (t!("boards-puzzle-kind")) " " select id="kind" {
                        option value="" { (t!("boards-puzzle-all")) }
                    } }
                    label { (t!("boards-puzzle-grade")) " " select id="level" {
                        option value="" { (t!("boards-puzzle-grades")) }
                        @for grade in 1..=5 { option value=(grade) { (grade) } }
                    } }
                }
                div.actions role="group" aria-label=(t!("boards-puzzle-others")) {
                    button type="button" id="daily" { (t!("boards-puzzle-daily")) }
                    button type="button" id="own" { (t!("boards-puzzle-own")) }
                }
                p.faint id="grade" {}
                p.faint id="counts" {}
                p.faint { (t!("boards-puzzle-note")) }
                (engines::choice(host.searches()))
            }
        }
    };
    Page::new(t!("boards-puzzles"), body).with_head(host.head()).with_script("puzzles.js")
}
