//! Lessons: tasks on the board, each with a goal that the rules decide. They come from a file in TOML, which a teacher
//! can write, too; the format is described at the top of `lessons.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::sync::LazyLock;

use serde::Deserialize;

use super::exercise::{Exercise, Goal};
use super::level;
use super::problems::Problems;
use crate::board::messages::{LessonEntry, LessonView, Words};
use crate::shogi::{Move, Setup, Square};

/// The program's own lessons, which a test checks.
static BUILT_IN: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
    let list = toml::from_str(include_str!("lessons.toml")).map(|File { lesson }| lesson);
    let mut list = list.expect("a test reads them");
    // These stay completed when a later version changes their words.
    list.iter_mut().for_each(|lesson| lesson.key.clone_from(&lesson.id));
    list
});

/// The problems that tasks name: the user may load others, which do not change the lessons.
static PROBLEMS: LazyLock<Problems> = LazyLock::new(Problems::built_in);

/// The most tasks in a file, and of all files together.
const MOST_TASKS: usize = 500;

/// The most bytes of a file, and of all files together: they are stored with each change.
const MOST_BYTES: usize = 1_000_000;

/// The content of a file of lessons.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    lesson: Vec<Lesson>,
}

/// A lesson: tasks, one after the other.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    pub id: String,
    pub title: Words,
    #[serde(rename = "task")]
    pub tasks: Vec<Task>,
    /// The name under which its completed tasks are stored.
    #[serde(skip)]
    pub key: String,
}

impl Lesson {
    /// A checksum of its tasks without their texts, which may be corrected.
    fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for Task { sfen, problem, before, goal, solution, moves, .. } in &self.tasks {
            (sfen, problem, before, goal, solution, moves).hash(&mut hasher);
        }
        hasher.finalize()
    }
}

/// A position, and the goal of its task.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    pub text: Words,
    /// The position; without one it is a problem's, or a game is played.
    sfen: Option<String>,
    /// A problem of the program's own set: its length and its number.
    problem: Option<[usize; 2]>,
    /// Moves played since the position.
    #[serde(default)]
    before: String,
    goal: Option<Goal>,
    /// A line that reaches the goal; a mate in more than one move needs one.
    #[serde(default)]
    solution: String,
    /// The number of moves for visiting squares; by default the number of squares.
    moves: Option<usize>,
    pub hint: Option<Words>,
    /// Shown once the goal is reached.
    pub done: Option<Words>,
    /// Shown for wrong moves: for a move in USI, for those with this beginning, or for all (`any`).
    #[serde(default)]
    wrong: BTreeMap<String, Words>,
}

/// A task of a lesson on the board.
#[derive(Debug)]
pub struct LessonTask {
    pub lesson: Lesson,
    /// The number of the task, from 0.
    pub task: usize,
    pub exercise: Exercise,
    /// Whether its hint has been asked for.
    pub is_hinted: bool,
    /// The file's words on the last move, which was wrong.
    pub wrong: Option<Words>,
}

impl LessonTask {
    /// As the page shows it.
    pub fn view(&self, is_done: bool) -> LessonView {
        let Lesson { id, title, tasks, .. } = &self.lesson;
        let asked = &tasks[self.task];
        LessonView {
            id: id.clone(),
            title: title.clone(),
            task: self.task,
            of: tasks.len(),
            text: asked.text.clone(),
            hint: asked.hint.clone().filter(|_| self.is_hinted),
            done: asked.done.clone().filter(|_| is_done),
            wrong: self.wrong.clone(),
            marks: self.exercise.left.iter().map(Square::to_string).collect(),
        }
    }
}

impl Task {
    /// The level of the game that is to be won.
    pub fn game(&self) -> Option<u32> {
        match self.goal {
            Some(Goal::Game(level)) => Some(level),
            _ => None,
        }
    }

    /// The task for the board, or the error in the file.
    pub fn exercise(&self) -> Result<Exercise, String> {
        let (start, goal, solution) = match (self.problem, &self.sfen, &self.goal) {
            (Some([plies, number]), None, None) => {
                let problem = PROBLEMS.get(plies, number).ok_or("there is no such problem")?;
                (problem.position.clone(), Goal::Mate(plies), problem.solution.clone())
            }
            (None, Some(sfen), Some(goal)) => {
                let setup: Setup = sfen.parse().map_err(|error| format!("sfen: {error}"))?;
                let start = setup.mate_problem().map_err(|error| format!("sfen: {error}"))?;
                (start, goal.clone(), moves(&self.solution)?)
            }
            _ => return Err("a task has an sfen and a goal, or a problem".to_owned()),
        };
        let squares = match &goal {
            Goal::Visit(squares) => squares.as_slice(),
            _ => &[],
        };
        let square = |text: &String| text.parse().map_err(|_| format!("'{text}' is not a square"));
        let left = squares.iter().map(square).collect::<Result<BTreeSet<Square>, String>>()?;
        let (past, wrong) = (moves(&self.before)?, self.wrong.clone());
        let moves = self.moves.unwrap_or(left.len());
        Ok(Exercise { start, past, goal, solution, left, moves, wrong })
    }
}

fn moves(text: &str) -> Result<Vec<Move>, String> {
    text.split_whitespace().map(|word| word.parse().map_err(|_| format!("'{word}' is not a move"))).collect()
}

#[derive(Debug)]
pub struct LessonFile {
    text: String,
    /// Those that the user has not removed.
    lessons: Vec<Lesson>,
}

/// A file of lessons as it is stored: its text, and the names of the lessons that are left. (To store the lessons
/// themselves would add 10 KB to the site.)
pub type SavedLessons = (String, Vec<String>);

impl LessonFile {
    /// Reads a file of lessons.
    ///
    /// # Errors
    /// The error and its place.
    pub fn read(text: String) -> Result<LessonFile, String> {
        let File { lesson: mut lessons } = toml::from_str(&text).map_err(|error| error.to_string())?;
        check_size(text.len(), &lessons)?;
        let mut ids = BTreeSet::new();
        for lesson in &lessons {
            let id = &lesson.id;
            if lesson.tasks.is_empty() || !ids.insert(id) {
                return Err(format!("lesson '{id}': each has a name of its own, and a task"));
            }
            for (number, task) in (1..).zip(&lesson.tasks) {
                let checked = match task.game() {
                    Some(level) if level <= level::STRONGEST => Ok(()),
                    Some(_) => Err(format!("levels go to {}", level::STRONGEST)),
                    None => task.exercise().and_then(|exercise| exercise.check()),
                };
                checked.map_err(|error| format!("lesson '{id}', task {number}: {error}"))?;
            }
        }
        for lesson in &mut lessons {
            lesson.key.clone_from(&lesson.id);
            if !BUILT_IN.contains(lesson) {
                // A changed lesson is a new one, and none is taken for one of the program's own.
                lesson.key = format!("{} {:x}", lesson.id, lesson.checksum());
            }
        }
        Ok(LessonFile { text, lessons })
    }

    /// How many lessons it has.
    pub fn count(&self) -> usize {
        self.lessons.len()
    }

    /// The name of its first lesson.
    pub fn first(&self) -> &str {
        &self.lessons[0].id
    }
}

fn check_size<'a>(bytes: usize, lessons: impl IntoIterator<Item = &'a Lesson>) -> Result<(), String> {
    match lessons.into_iter().map(|lesson| lesson.tasks.len()).sum() {
        1..=MOST_TASKS if bytes <= MOST_BYTES => Ok(()),
        1..=MOST_TASKS => Err(format!("there are {bytes} bytes, and it takes {MOST_BYTES} at most")),
        count => Err(format!("there are {count} tasks, and it takes 1 to {MOST_TASKS}")),
    }
}

fn find<'a>(lessons: impl IntoIterator<Item = &'a Lesson>, id: &str) -> Option<&'a Lesson> {
    lessons.into_iter().find(|lesson| lesson.id == id)
}

/// The lessons in order, and the completed tasks.
#[derive(Debug, Default)]
pub struct Lessons {
    /// Their lessons stand before the program's own and replace those with the same name. No file is empty.
    files: Vec<LessonFile>,
    /// By the lesson's key, the numbers of its tasks.
    pub done: BTreeMap<String, BTreeSet<usize>>,
}

impl Lessons {
    /// The lessons of files.
    fn opened(&self) -> impl Iterator<Item = &Lesson> {
        self.files.iter().flat_map(|file| &file.lessons)
    }

    fn all(&self) -> impl Iterator<Item = &Lesson> {
        self.opened().chain(BUILT_IN.iter().filter(|lesson| find(self.opened(), &lesson.id).is_none()))
    }

    /// The files of lessons as they are stored.
    pub fn saved(&self) -> Vec<SavedLessons> {
        let ids = |file: &LessonFile| file.lessons.iter().map(|lesson| lesson.id.clone()).collect();
        self.files.iter().map(|file| (file.text.clone(), ids(file))).collect()
    }

    /// Takes back the lessons of a stored file.
    ///
    /// # Errors
    /// As [`LessonFile::read`].
    pub fn restore(&mut self, (text, ids): SavedLessons) -> Result<(), String> {
        let mut file = LessonFile::read(text)?;
        file.lessons.retain(|lesson| ids.contains(&lesson.id));
        self.files.extend(Some(file).filter(|file| !file.lessons.is_empty()));
        Ok(())
    }

    /// Puts the lessons of a file before the others. Those with the same names are removed.
    ///
    /// # Errors
    /// With the others they are too many.
    pub fn add(&mut self, file: LessonFile) -> Result<(), String> {
        let stays = |lesson: &&Lesson| find(&file.lessons, &lesson.id).is_none();
        let left = self.files.iter().filter(|other| other.lessons.iter().any(|lesson| stays(&lesson)));
        let bytes = file.text.len() + left.map(|other| other.text.len()).sum::<usize>();
        check_size(bytes, self.opened().filter(stays).chain(&file.lessons))?;
        file.lessons.iter().for_each(|lesson| {
            self.remove(&lesson.id);
        });
        self.files.insert(0, file);
        Ok(())
    }

    /// Removes a lesson of a file; its completed tasks are kept for when it is opened again. Returns whether there is
    /// one.
    pub fn remove(&mut self, id: &str) -> bool {
        let is_there = find(self.opened(), id).is_some();
        self.files.iter_mut().for_each(|file| file.lessons.retain(|lesson| lesson.id != id));
        self.files.retain(|file| !file.lessons.is_empty());
        is_there
    }

    /// A lesson by its name.
    pub fn get(&self, id: &str) -> Option<&Lesson> {
        find(self.opened(), id).or_else(|| find(&*BUILT_IN, id))
    }

    /// Marks the tasks as done that ask for a won game at this level or a lower one. Returns whether there are any.
    pub fn game_won(&mut self, level: u32) -> bool {
        let won: Vec<(String, usize)> = self
            .all()
            .flat_map(|lesson| (0..).zip(&lesson.tasks).map(|(number, task)| (&lesson.key, number, task)))
            .filter(|(.., task)| task.game().is_some_and(|asked| asked <= level))
            .map(|(key, number, _)| (key.clone(), number))
            .collect();
        won.into_iter().fold(false, |is_new, (key, task)| self.done.entry(key).or_default().insert(task) || is_new)
    }

    /// As the page lists them.
    pub fn entries(&self) -> Vec<LessonEntry> {
        let entry = |lesson: &Lesson| LessonEntry {
            id: lesson.id.clone(),
            title: lesson.title.clone(),
            tasks: lesson.tasks.len(),
            // Stored progress may be of a longer lesson with this name.
            done: self
                .done
                .get(&lesson.key)
                .into_iter()
                .flatten()
                .copied()
                .filter(|&task| task < lesson.tasks.len())
                .collect(),
            games: lesson.tasks.iter().map(Task::game).collect(),
            opened: find(self.opened(), &lesson.id).is_some(),
        };
        self.all().map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::state::exercise::{Verdict, names, passed};

    /// Every legal move of every task of a file, with its verdict; visited squares are followed to the end.
    fn verdicts(exercise: &Exercise) -> Vec<(Move, Verdict)> {
        let game = exercise.game().unwrap();
        game.position().legal_moves().into_iter().map(|mv| (mv, exercise.judge(&game, mv))).collect()
    }

    #[test]
    fn every_task_can_be_done_and_refuses_wrong_moves() {
        let lessons =
            LessonFile::read(include_str!("lessons.toml").to_owned()).unwrap_or_else(|error| panic!("{error}"));
        let mut count = 0;
        for lesson in &lessons.lessons {
            for (number, task) in (1..).zip(&lesson.tasks) {
                let words = [Some(&task.text), task.hint.as_ref(), task.done.as_ref(), Some(&lesson.title)];
                let of_both = words.into_iter().flatten().chain(task.wrong.values());
                let at = format!("{} {number}", lesson.id);
                for words in of_both {
                    let Words::Each { en, ja } = words else { panic!("{at}: {words:?} is in one language") };
                    let is_japanese = ja.chars().any(|c| ('\u{3040}'..'\u{a000}').contains(&c));
                    assert!(!en.is_empty() && is_ascii_like(en) && is_japanese, "{at}: {en} {ja}");
                }
                if task.game().is_some() {
                    continue;
                }
                let mut exercise = task.exercise().unwrap();
                count += 1;
                for key in task.wrong.keys().filter(|key| *key != "any") {
                    let is_refused = |(mv, verdict): &(Move, Verdict)| names(key, *mv) && *verdict == Verdict::Wrong;
                    assert!(verdicts(&exercise).iter().any(is_refused), "{at}: {key} is not refused");
                }
                let is_any = exercise.goal == Goal::Play(vec!["any".to_owned()]);
                let is_wrong = |verdict: &Verdict| matches!(verdict, Verdict::Wrong | Verdict::Ask);
                let refuses = verdicts(&exercise).iter().any(|(_, verdict)| is_wrong(verdict));
                // Getting out of check, most moves are illegal.
                assert!(refuses || (is_any && exercise.start.in_check()), "{at}: no move is wrong");
                // Hints lead to the goal.
                loop {
                    let game = exercise.game().unwrap();
                    let mv = exercise.hint(&game).unwrap_or_else(|| panic!("{at}: no hint"));
                    match exercise.judge(&game, mv) {
                        Verdict::Done | Verdict::Ask => break,
                        Verdict::GoesOn(left) => {
                            exercise.start = passed(game.position().after(mv)).unwrap();
                            exercise.past.clear();
                            (exercise.left, exercise.moves) = (left, exercise.moves - 1);
                        }
                        Verdict::Wrong => panic!("{at}: the hint {mv} is wrong"),
                    }
                }
            }
        }
        assert!(count > 50, "{count}");
    }

    /// The task with the king of the other side, which does not move, on another square.
    fn with_king_on(exercise: &Exercise, square: Square) -> Option<Exercise> {
        let mut setup = Setup::from(&exercise.start);
        let king = exercise.start.king(!exercise.start.side_to_move());
        if setup.board[square.index()].is_some() {
            return None;
        }
        setup.board.swap(king.index(), square.index());
        Some(Exercise { start: setup.mate_problem().ok()?, ..exercise.clone() })
    }

    fn check_king(exercise: &Exercise, at: &str) {
        for (mv, verdict) in verdicts(exercise) {
            let after = exercise.start.after(mv);
            let leads_there = |square| {
                let other = with_king_on(exercise, square)?;
                let game = other.game().ok().filter(|game| game.position().is_legal(mv))?;
                Some(other.judge(&game, mv) != Verdict::Wrong)
            };
            if verdict == Verdict::Wrong && exercise.says_of(mv).is_none() {
                let is_refused = Square::all().any(|square| leads_there(square) == Some(true));
                assert!(!is_refused, "{at}: the king makes {mv} wrong in {}", exercise.start);
            }
            if let Verdict::GoesOn(left) = verdict {
                let moves = exercise.moves - 1;
                check_king(&Exercise { start: passed(after).unwrap(), left, moves, ..exercise.clone() }, at);
            }
        }
    }

    /// A side in check cannot pass, so a move is refused if each way on leads through a check, although the piece could
    /// go there without the king. The task must then say why.
    #[test]
    fn no_king_stands_in_the_way_to_the_squares_of_a_task() {
        for lesson in &*BUILT_IN {
            for (number, task) in (1..).zip(&lesson.tasks).filter(|(_, task)| matches!(task.goal, Some(Goal::Visit(_))))
            {
                check_king(&task.exercise().unwrap(), &format!("{} {number}", lesson.id));
            }
        }
    }

    /// Whether most letters are ASCII: in English a piece's sign may stand in brackets.
    fn is_ascii_like(text: &str) -> bool {
        text.chars().filter(|c| c.is_ascii_alphabetic()).count() * 2 > text.chars().count()
    }

    #[test]
    fn a_hint_is_legal_whatever_the_solution_says() {
        let text = "[[lesson]]\nid = \"a\"\ntitle = \"A\"\n[[lesson.task]]\ntext = \"T\"\n\
            sfen = \"k5/6/6/6/6/5K b - 1\"\ngoal.visit = [\"1e\", \"1d\"]\nsolution = \"1f1e 1e1d\"\n";
        let mut exercise = LessonFile::read(text.to_owned()).unwrap().lessons[0].tasks[0].exercise().unwrap();
        assert_eq!(exercise.hint(&exercise.game().unwrap()), Some("1f1e".parse().unwrap()));
        exercise.start = "k5/6/6/6/5K/6 b - 1".parse().unwrap();
        let hint = exercise.hint(&exercise.game().unwrap());
        assert!(hint.is_none_or(|mv| exercise.start.is_legal(mv)), "{hint:?}");
    }

    #[test]
    fn a_file_that_is_wrong_says_where() {
        let task = |task: &str| format!("[[lesson]]\nid = \"a\"\ntitle = \"A\"\n[[lesson.task]]\ntext = \"T\"\n{task}");
        let king = "sfen = \"k5/6/6/6/6/5K b - 1\"\n";
        let read = |text: &str| LessonFile::read(task(text)).map(|_| ());
        assert_eq!(read(&format!("{king}goal.visit = [\"1e\"]")), Ok(()));
        assert_eq!(read("problem = [1, 1]"), Ok(()));
        assert_eq!(read("goal.game = 0"), Ok(()));
        for (text, words) in [
            (format!("{king}goal.visit = [\"1d\"]"), "lesson 'a', task 1: the squares cannot be reached in 1 moves"),
            (format!("{king}goal.visit = [\"7a\"]"), "'7a' is not a square"),
            (format!("{king}goal.play = [\"G*3c\"]"), "legal there"),
            (format!("{king}goal = \"check\""), "no move reaches the goal"),
            (format!("{king}goal.mate = 3"), "not a mate in 3 plies"),
            (format!("{king}goal.end = \"tea\""), "there is no 'tea'"),
            (format!("{king}goal.play = [\"any\"]\nbefore = \"1f1e\""), "both sides"),
            ("sfen = \"6/6/6/6/6/6 b - 1\"\ngoal = \"check\"".to_owned(), "has no king"),
            ("problem = [1, 100]".to_owned(), "no such problem"),
            ("goal.game = 30".to_owned(), "levels go to 20"),
            (format!("{king}goal.visit = [\"1e\"]\nwrong.tea = \"No\""), "wrong: 'tea' is not a move there"),
            (format!("{king}goal = \"check\"\nwrong.1f1c = \"No\""), "wrong: '1f1c' is not a move there"),
            (format!("{king}done.en = \"Done\""), "a text is \"in one language\", or it has en and ja"),
            ("tea = 1".to_owned(), "line 6"),
            (king.to_owned(), "a task has an sfen and a goal"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
