//! Searching for games.

use rusqlite::{ToSql, named_params};

use super::SiteStore;
use super::games::{BOUT, SiteBout, bout};
use agon_arena::store::StoreError;

/// Selects the games that match everything given here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoutFilter {
    pub competition: Option<i64>,
    /// A program in either seat.
    pub program: Option<i64>,
    /// The program in the other seat.
    pub opponent: Option<i64>,
    /// The name of a kind; without one, all but checks.
    pub kind: Option<&'static str>,
    pub of_final: Option<i64>,
    /// Games that are being played instead of those that have ended.
    pub running: bool,
}

impl BoutFilter {
    fn sql(&self) -> String {
        let mut wanted = String::from("bout.id < :before");
        wanted += if self.running { " AND ended IS NULL" } else { " AND ended IS NOT NULL" };
        let kind = match self.kind.or(self.of_final.map(|_| "final")) {
            // In the words of the index of rare kinds, without which it is not used.
            Some(kind @ ("check" | "final" | "asked")) => format!("kind <> 'ladder' AND kind = '{kind}'"),
            Some(_) => "kind = 'ladder'".to_owned(),
            None => "kind <> 'check'".to_owned(),
        };
        wanted = format!("{wanted} AND {kind}");
        wanted += if self.competition.is_some() { " AND bout.contest = :contest" } else { " AND :contest IS NULL" };
        wanted += if self.opponent.is_some() { " AND :opponent IN (first, second)" } else { " AND :opponent IS NULL" };
        wanted += if self.of_final.is_some() { " AND bout.final = :final" } else { " AND :final IS NULL" };
        let query = |seat: &str| format!("{BOUT} WHERE {wanted} AND {seat} ORDER BY bout.id DESC LIMIT :most");
        match self.program {
            // The planner would read all games backwards until it has found enough of that kind.
            None if self.of_final.is_some() || self.kind.is_some_and(|kind| kind != "ladder") => {
                query(":program IS NULL").replacen("FROM bout ", "FROM bout INDEXED BY bout_kind ", 1)
            }
            None => query(":program IS NULL"),
            // Each half uses its own index; OR would read all games of both.
            Some(_) => format!(
                "SELECT * FROM ({}) UNION ALL SELECT * FROM ({}) ORDER BY 1 DESC LIMIT :most",
                query("first = :program"),
                query("second = :program")
            ),
        }
    }
}

impl SiteStore {
    /// The games that a filter wants, the newest first; those before a number, to turn pages.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn find_bouts(&self, filter: &BoutFilter, before: i64, most: u32) -> Result<Vec<SiteBout>, StoreError> {
        let named: &[(&str, &dyn ToSql)] = named_params! {
            ":before": before, ":most": most, ":contest": filter.competition, ":program": filter.program,
            ":opponent": filter.opponent, ":final": filter.of_final,
        };
        let mut statement = self.connection.prepare_cached(&filter.sql())?;
        Ok(statement.query_map(named, bout)?.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use agon_referee::record::Winner;

    use super::super::games::tests::won;
    use super::super::{BoutKind, NewBout, new_store};
    use super::*;

    #[test]
    fn games_are_found_by_what_they_are() {
        let (_folder, mut store) = new_store();
        let players = ["a", "b", "c"].map(|name| (name.to_owned(), 1500.0, false));
        let [renju, petri] = ["renju", "petri"].map(|slug| {
            store.competitions().unwrap().into_iter().find(|competition| competition.slug == slug).unwrap().id
        });
        for competition in [renju, petri] {
            store.enter_builtins(competition, &players, 1).unwrap();
        }
        let id = |store: &SiteStore, competition, name| store.builtin(competition, name).unwrap().unwrap().id;
        let [a, b, c] = ["a", "b", "c"].map(|name| id(&store, renju, name));
        let other = ["a", "b"].map(|name| id(&store, petri, name));
        let played = [
            (renju, BoutKind::Ladder, [a, b]),
            (renju, BoutKind::Check, [a, b]),
            (renju, BoutKind::Ladder, [c, a]),
            (renju, BoutKind::Ladder, [b, c]),
            (petri, BoutKind::Ladder, other),
        ];
        let ids = played.map(|(competition, kind, seats)| {
            let seats = seats.map(|id| (id, None));
            let id = store.begin_bout(&NewBout { competition, kind, seed: 1, seats }, 6).unwrap();
            store.end_bout(id, &won(Winner::First), 7).unwrap();
            id
        });
        let seats = [(b, None), (c, None)];
        let new = NewBout { competition: renju, kind: BoutKind::Ladder, seed: 1, seats };
        let running = store.begin_bout(&new, 8).unwrap();
        let check = |filter: BoutFilter, before: i64, wanted: &[i64]| {
            let found = store.find_bouts(&filter, before, 3).unwrap();
            assert_eq!(found.iter().map(|bout| bout.id).collect::<Vec<_>>(), wanted, "{filter:?}");
        };
        let (all, last) = (BoutFilter::default(), i64::MAX);
        check(all, last, &[ids[4], ids[3], ids[2]]);
        check(all, ids[3], &[ids[2], ids[0]]);
        check(BoutFilter { competition: Some(petri), ..all }, last, &[ids[4]]);
        check(BoutFilter { program: Some(a), ..all }, last, &[ids[2], ids[0]]);
        check(BoutFilter { program: Some(a), opponent: Some(c), ..all }, last, &[ids[2]]);
        check(BoutFilter { program: Some(a), kind: Some("check"), ..all }, last, &[ids[1]]);
        check(BoutFilter { kind: Some("check"), ..all }, last, &[ids[1]]);
        check(BoutFilter { kind: Some("asked"), ..all }, last, &[]);
        check(BoutFilter { running: true, ..all }, last, &[running]);
        check(BoutFilter { of_final: Some(1), ..all }, last, &[]);
        let plan = format!("EXPLAIN QUERY PLAN {}", BoutFilter { kind: Some("asked"), ..all }.sql());
        let plan = [":before", ":most"].iter().fold(plan, |plan, name| plan.replace(name, "9"));
        let plan =
            [":contest", ":opponent", ":program", ":final"].iter().fold(plan, |plan, name| plan.replace(name, "NULL"));
        let mut statement = store.connection.prepare(&plan).unwrap();
        let steps = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
        let steps: Vec<String> = steps.map(Result::unwrap).collect();
        assert!(steps.iter().any(|step| step.contains("bout_kind")), "{steps:?}");
    }
}
