//! What is computed beside the games: ratings, trends, digests of older games; and the beginning of finals and of the
//! weeks of leagues.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use agon_arena::store::StoreError;
use agon_site::clock::now;
use agon_site::feats::Feats;
use agon_site::finals::{self};
use agon_site::ladder::LadderResults;
use agon_site::league;
use agon_site::store::SiteStore;

use crate::ratings::read_trends;
use crate::site_queue::SiteQueue;

/// How often all programs are rated together.
const RATING: Duration = Duration::from_secs(15);

/// How often it looks whether a final begins.
const FINALS: Duration = Duration::from_secs(1);

/// How many times longer the rating pauses than it took: a large ladder takes seconds.
const REST: u32 = 10;

/// Digests some games at a time from before repetitions were recorded, so that nothing waits for it.
fn digest_older(site: &SiteQueue) -> Result<(), StoreError> {
    while !site.is_stopping() && site.look(SiteStore::is_undigested)? {
        let digests = site.look(SiteStore::digest_older)?;
        site.writer().keep_digests(&digests)?;
    }
    Ok(())
}

/// Rates all programs of each competition together, again and again.
pub(super) fn rate(site: &SiteQueue) {
    // How many seats the programs of each competition had had the last time.
    let mut last = HashMap::new();
    while !site.is_stopping() {
        let begun = Instant::now();
        // A site that only shows changes nothing.
        let late = if site.plays() { digest_older(site).and_then(|()| site.writer().rate_late()) } else { Ok(false) };
        if let Err(error) = late {
            tracing::error!("games that have ended late are not rated: {error}");
        }
        begin_leagues(site);
        for competition in site.competitions.all().iter() {
            let results = site.look(|store| {
                let seats = store.rated_seats(competition.id)?;
                let known = last.insert(competition.id, seats) == Some(seats);
                if known {
                    return Ok(None);
                }
                let rest = (read_trends(store, competition.id, now())?, Feats::read(store, competition.id)?);
                Ok(Some((LadderResults::read(store, competition.id)?, rest)))
            });
            match results {
                Ok(Some((results, (trends, feats)))) => {
                    site.ratings.set_together(competition.id, results.rate());
                    site.ratings.set_trends(competition.id, trends);
                    site.ratings.set_feats(competition.id, feats);
                    site.note_change();
                }
                Ok(None) => {}
                Err(error) => tracing::error!("the ladder of {} is not rated: {error}", competition.slug),
            }
        }
        let next = Instant::now() + RATING.max(begun.elapsed() * REST);
        while !site.is_stopping() && Instant::now() < next {
            begin_finals(site);
            site.rest(FINALS);
        }
    }
}

/// Begins the weeks of leagues.
fn begin_leagues(site: &SiteQueue) {
    let has_leagues = site.look(|store| Ok(!store.leagues()?.is_empty()));
    let begun = has_leagues
        .and_then(|has| if has && site.plays() { league::begin_due(&mut site.writer(), now()) } else { Ok(()) });
    if let Err(error) = begun {
        tracing::error!("the week of a league has not begun: {error}");
    }
}

/// Begins the finals whose time has come.
fn begin_finals(site: &SiteQueue) {
    let (now, plays) = (now(), site.plays());
    // A site that only shows changes nothing, and writers wait for no one who has nothing to write.
    let begun = site.look(|store| Ok(plays && store.has_final_in(0..=now)?)).and_then(|is_due| {
        if is_due { finals::begin_due(&mut site.writer(), site.options.limits, now) } else { Ok(0) }
    });
    match begun {
        Ok(0) => {}
        Ok(_) => site.announce_change(),
        Err(error) => tracing::error!("no final begins by itself: {error}"),
    }
}
