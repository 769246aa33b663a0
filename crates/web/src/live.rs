//! Games that are being played, as streams of events in the language of who follows them.

use std::convert::Infallible;

use agon_boards::text::within;
use agon_boards::viewer::{spoken, spoken_step};
use agon_message::Locale;
use agon_queue::live::{EventTexts, LiveFollower, event_text};
use axum::body::{Body, Bytes};
use futures_util::stream::{self, Stream};
use serde_json::Value;

/// The answer to a browser that follows a game not in progress.
const GONE: &str = "event: gone\ndata: null\n\n";

/// An event in its final form: written once for all who follow the game in a language.
pub(crate) fn written(name: &str, id: usize, data: &Value) -> EventTexts {
    let plain = event_text(name, id, data);
    // Moves are the same in every language, remarks about them are not.
    let same = name == "step" && data["remarks"].as_array().is_none_or(Vec::is_empty);
    Locale::ALL.map(|locale| match (name, locale) {
        (_, Locale::English) => plain.clone(),
        _ if same => plain.clone(),
        ("step", _) => within(locale, || event_text(name, id, &spoken_step(data.clone()))),
        _ => within(locale, || event_text(name, id, &spoken(data.clone()))),
    })
}

/// The events of a follower, as the parts of a body.
pub(crate) fn parts(follower: LiveFollower) -> impl Stream<Item = Result<Bytes, Infallible>> + Send {
    stream::unfold(follower, |mut follower| async move {
        let event = follower.next().await?;
        Some((Ok(event), follower))
    })
}

/// A game that is not being played, as a stream.
pub(crate) fn gone() -> Body {
    Body::from(GONE)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use agon_analysis::game_log::{GameResult, write_message};
    use agon_catalog::{Game, Setup};
    use agon_game::Interaction;
    use agon_message::Stated;
    use agon_queue::live::LiveGames;
    use agon_referee::bout::Spectator as _;
    use agon_referee::limits::GameLimits;
    use agon_rules::bacteria::BacteriaEnding;
    use agon_rules::petri::Misread;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_live_game_speaks_the_language_of_who_follows_it() {
        let games = LiveGames::new(written);
        let state = Game::BACTERIA.initial_state(&Setup::default()).unwrap();
        let facts = vec![Stated::from(&agon_arena::transcript::limits(&GameLimits::default(), Interaction::Session))];
        let mut show = games.begin(7, Game::BACTERIA, ["a".into(), "b".into()], facts);
        show.started(state.as_ref(), [Duration::from_secs(10); 2]);
        let live = games.find(7).unwrap();
        let result =
            GameResult::Won { seat: "O".into(), name: "a".to_owned(), reason: Stated::from(&BacteriaEnding::Full) };
        let mut end = json!({});
        write_message(&mut end, "result", &result);
        games.end(7, Some(&end));
        let events = live.events(0);
        let data = |at: usize, locale| -> Value {
            let text = String::from_utf8(events[at].text(locale).to_vec()).unwrap();
            serde_json::from_str(text.split_once("data: ").unwrap().1).unwrap()
        };
        let english = data(0, Locale::English);
        assert_eq!((&english["gauges"][0], &english["title"]), (&json!("cells"), &json!("Bacteria War")));
        let korean = data(0, Locale::Korean);
        assert_eq!((&korean["gauges"][0], &korean["title"]), (&json!("칸"), &json!("세균 전쟁")));
        assert_eq!(korean["facts"][0], "경기당 각 10초, 1024 MiB");
        // A part that is absent stays so: the viewer would take it for the game's.
        assert_eq!(data(1, Locale::Korean), json!({ "result": "O a 승: 빈칸이 없음" }));
    }

    #[test]
    fn what_is_remarked_on_a_live_move_is_said_in_the_language_of_who_follows() {
        let remarked = written(
            "step",
            0,
            &json!({
                "move": "H8",
                "remarks": [Misread::Strength.to_string()],
                "remarks_message": [Stated::from(&Misread::Strength).keyed],
            }),
        );
        let events = [remarked, written("step", 1, &json!({ "move": "H9" }))];
        let text = |at: usize, locale: Locale| String::from_utf8(events[at][locale as usize].to_vec()).unwrap();
        assert!(text(0, Locale::English).contains("an attack needs"), "{}", text(0, Locale::English));
        assert!(text(0, Locale::Korean).contains("공격 세기는 1부터 3까지여야 함"), "{}", text(0, Locale::Korean));
        assert_eq!(text(1, Locale::English), text(1, Locale::Korean), "moves are the same in every language");
    }
}
