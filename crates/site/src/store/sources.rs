//! Everything that users have submitted, for comparison.

use agon_catalog::Game;
use agon_referee::agent::Language;
use rusqlite::Row;
use rusqlite::types::Type;

use super::SiteStore;
use super::competitions::game;
use agon_arena::store::StoreError;

/// A version that a user or a team has submitted, without its source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubmittedSource {
    /// Its number among all versions.
    pub version: i64,
    pub program: i64,
    pub account: i64,
    /// The name of that account.
    pub owner: String,
    pub name: String,
    /// The version's number within the program.
    pub number: u32,
    /// Its language.
    pub language: Language,
    pub game: Game,
}

impl SiteStore {
    /// Every version that users have submitted, whatever became of it, in the order of submission.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn submitted_sources(&self) -> Result<Vec<SubmittedSource>, StoreError> {
        let sql = "SELECT version.id, program.id, account.id, account.name, program.name, number, version.language,
                          contest.game
                   FROM version JOIN program ON program.id = version.program
                   JOIN account ON account.id = program.account
                   JOIN contest ON contest.id = program.contest ORDER BY version.id";
        let read = |row: &Row| {
            let language: String = row.get(6)?;
            let unknown =
                || rusqlite::Error::FromSqlConversionFailure(6, Type::Text, format!("no language `{language}`").into());
            Ok(SubmittedSource {
                version: row.get(0)?,
                program: row.get(1)?,
                account: row.get(2)?,
                owner: row.get(3)?,
                name: row.get(4)?,
                number: row.get(5)?,
                language: Language::by_name(&language).ok_or_else(unknown)?,
                game: game(row, 7)?,
            })
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map([], read)?.collect::<Result<_, _>>()?)
    }
}
