//! The library of games in SQLite.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params, params_from_iter};

use super::worker::Worker;
use crate::board::messages::Tally;
use crate::board::state::kept::{DAYS_DELETED, Fetched, KeptGame, LibraryAnswer, LibraryTask, PAGE, Search, VERSION};
use crate::work::ThreadError;

/// The time to wait while another board is writing.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A game's row is the JSON for the pages. A place is a position of a main line, with the move played there, or an
/// empty text.
const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS game (
        id INTEGER PRIMARY KEY,
        row TEXT NOT NULL,
        words TEXT NOT NULL,
        same INTEGER NOT NULL,
        deleted INTEGER,
        study TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS game_same ON game (same);
    CREATE TABLE IF NOT EXISTS place (
        key INTEGER NOT NULL,
        game INTEGER NOT NULL REFERENCES game ON DELETE CASCADE,
        move TEXT NOT NULL,
        PRIMARY KEY (key, game, move)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS place_game ON place (game);
";

#[derive(Debug)]
pub struct Library {
    connection: Connection,
}

/// The reason why the database rejects a task.
#[derive(Debug, thiserror::Error)]
enum LibraryError {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("its version is {0}, and this program reads {VERSION}")]
    Newer(u32),
}

type Result<T> = std::result::Result<T, LibraryError>;

impl Library {
    /// Opens or creates the library in this folder.
    ///
    /// # Errors
    /// A message if it cannot be used: the library of a newer version is unchanged.
    pub fn open(folder: &Path) -> std::result::Result<Library, String> {
        let path = folder.join("library.db");
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        fs::create_dir_all(folder).map_err(|error| named(&error))?;
        Library::open_file(&path).map_err(|error| named(&error))
    }

    fn open_file(path: &Path) -> Result<Library> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version > VERSION {
            return Err(LibraryError::Newer(version));
        }
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        let old = format!("DELETE FROM game WHERE deleted < (unixepoch() - {DAYS_DELETED} * 86400) * 1000");
        transaction.execute(&old, [])?;
        transaction.commit()?;
        Ok(Library { connection })
    }

    /// Carries out a task.
    ///
    /// # Errors
    /// The reason why it failed; nothing has changed.
    pub fn run(&mut self, task: LibraryTask) -> std::result::Result<LibraryAnswer, String> {
        self.carry_out(task).map_err(|error| error.to_string())
    }

    fn carry_out(&mut self, task: LibraryTask) -> Result<LibraryAnswer> {
        match task {
            LibraryTask::Save { games } => self.save(&games),
            LibraryTask::Rename { game, name, words } => {
                let sql = "UPDATE game SET row = json_set(row, '$.name', ?2),
                    words = ?3 || substr(words, instr(words, char(10))) WHERE id = ?1";
                Ok(LibraryAnswer::Done { count: self.connection.execute(sql, params![game as i64, name, words])? })
            }
            LibraryTask::Delete { games, at } => {
                let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let mut sql = transaction.prepare("UPDATE game SET deleted = ?2 WHERE id = ?1")?;
                let delete = |game: u64| sql.execute(params![game as i64, at.map(|at| at as i64)]);
                let count = games.into_iter().map(delete).sum::<rusqlite::Result<usize>>()?;
                drop(sql);
                transaction.commit()?;
                Ok(LibraryAnswer::Done { count })
            }
            LibraryTask::Erase { games } => {
                let mut sql = self.connection.prepare("DELETE FROM game WHERE id = ?1 AND deleted IS NOT NULL")?;
                let erase = |game: u64| sql.execute([game as i64]);
                let count = games.into_iter().map(erase).sum::<rusqlite::Result<usize>>()?;
                Ok(LibraryAnswer::Done { count })
            }
            LibraryTask::List(search) => self.list(&search),
            LibraryTask::All(search) => {
                let id = |row: &Row<'_>| row.get(0).map(|id: i64| id as u64);
                Ok(LibraryAnswer::All { games: self.found(&search, "id", "", id)? })
            }
            LibraryTask::Fetch { games } => {
                let mut sql = self.connection.prepare("SELECT row ->> '$.name', study FROM game WHERE id = ?1")?;
                let mut found = Vec::new();
                for id in games {
                    let game = sql.query_row([id as i64], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)));
                    if let Some((name, study)) = game.optional()? {
                        found.push(Fetched { id, name, study: serde_json::from_str(&study)? });
                    }
                }
                Ok(LibraryAnswer::Fetched { games: found })
            }
            LibraryTask::Explore { key } => self.explore(key),
        }
    }

    fn save(&mut self, games: &[KeptGame]) -> Result<LibraryAnswer> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut count = 0;
        // A game under its own number is brought up to date.
        let mut known = transaction.prepare(
            "SELECT 1 FROM game WHERE same = ?1 AND deleted IS NULL AND NOT EXISTS (SELECT 1 FROM game WHERE id = ?2)",
        )?;
        let mut write = transaction.prepare(
            "INSERT INTO game (id, row, words, same, study, deleted) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT (id) DO UPDATE SET row = ?2, words = ?3, same = ?4, study = ?5, deleted = ?6",
        )?;
        let mut leave = transaction.prepare("DELETE FROM place WHERE game = ?1")?;
        let mut place = transaction.prepare("INSERT OR IGNORE INTO place VALUES (?1, ?2, ?3)")?;
        for KeptGame { row, words, same, places, study, plain, deleted } in games {
            let (id, same) = (row.id as i64, *same as i64);
            if *plain && known.exists([same, id])? {
                continue;
            }
            let (row, study) = (serde_json::to_string(row)?, serde_json::to_string(study)?);
            write.execute(params![id, row, words, same, study, deleted.map(|at| at as i64)])?;
            leave.execute([id])?;
            for (key, mv) in places {
                let mv = mv.map(|mv| mv.to_string()).unwrap_or_default();
                place.execute(params![*key as i64, id, mv])?;
            }
            count += 1;
        }
        drop((known, write, leave, place));
        transaction.commit()?;
        Ok(LibraryAnswer::Done { count })
    }

    fn list(&self, search: &Search) -> Result<LibraryAnswer> {
        let count = |row: &Row<'_>| row.get(0).map(|count: i64| count as usize);
        let total = self.found(search, "count(*)", "", count)?.pop().unwrap_or_default();
        let order: &str = search.order.into();
        let direction = if search.ascending { "ASC" } else { "DESC" };
        let end = format!(
            "ORDER BY row ->> '$.{order}' COLLATE NOCASE {direction}, id DESC LIMIT {PAGE} OFFSET {}",
            search.first
        );
        let rows: Vec<String> = self.found(search, "row", &end, |row| row.get(0))?;
        let rows = rows.iter().map(|row| serde_json::from_str(row)).collect::<std::result::Result<_, _>>()?;
        Ok(LibraryAnswer::List { rows, total })
    }

    /// Selects columns of the games that a search finds.
    fn found<T>(
        &self,
        search: &Search,
        selected: &str,
        end: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let not = if search.deleted { "NOT " } else { "" };
        let mut sql = format!("SELECT {selected} FROM game WHERE deleted IS {not}NULL");
        let mut values: Vec<Value> = Vec::new();
        if let Some(result) = &search.result {
            sql += " AND coalesce(row ->> '$.result', '*') = ?";
            values.push(result.clone().into());
        }
        if let Some(key) = search.key {
            sql += " AND id IN (SELECT game FROM place WHERE key = ?)";
            values.push((key as i64).into());
        }
        for word in &search.words {
            sql += " AND instr(words, ?) > 0";
            values.push(word.clone().into());
        }
        let mut sql = self.connection.prepare(&format!("{sql} {end}"))?;
        let found = sql.query_map(params_from_iter(values), read)?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    fn explore(&self, key: u64) -> Result<LibraryAnswer> {
        let mut sql = self.connection.prepare(
            "SELECT move, count(*), count(*) FILTER (WHERE result = '1-0'), count(*) FILTER (WHERE result = '0-1'),
                count(*) FILTER (WHERE result = '1/2-1/2')
            FROM (SELECT move, row ->> '$.result' AS result FROM place JOIN game ON game.id = place.game
                WHERE key = ?1 AND move <> '' AND deleted IS NULL)
            GROUP BY move ORDER BY 2 DESC, 1",
        )?;
        let count = |row: &Row<'_>, column| row.get(column).map(|count: i64| count as usize);
        let tally = |row: &Row<'_>| {
            let tally =
                Tally { games: count(row, 1)?, black: count(row, 2)?, white: count(row, 3)?, draws: count(row, 4)? };
            Ok((row.get::<_, String>(0)?, tally))
        };
        let moves = sql.query_map([key as i64], tally)?.collect::<rusqlite::Result<Vec<_>>>()?;
        let moves = moves.into_iter().filter_map(|(mv, tally)| Some((mv.parse().ok()?, tally)));
        Ok(LibraryAnswer::Explored { moves: moves.collect() })
    }
}

/// Starts a thread that carries out numbered tasks, one at a time. An answer has the number of its task. Without a
/// library every answer is the reason why there is none.
pub fn start_librarian(
    mut library: std::result::Result<Library, String>,
    answer: impl Fn(u64, std::result::Result<LibraryAnswer, String>) + Send + 'static,
) -> std::result::Result<Worker<(u64, LibraryTask)>, ThreadError> {
    Worker::start(move |tasks| {
        for (number, task) in tasks {
            answer(number, library.as_mut().map_err(|why| why.clone()).and_then(|library| library.run(task)));
        }
    })
}
