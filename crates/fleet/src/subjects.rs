//! The subjects of a fleet's messages.
//!
//! | subject | message | who answers |
//! |---|---|---|
//! | `agon.run.RUN` | every second: the status of a run | |
//! | `agon.ask` | asks every worker and run for its status | |
//! | `agon.drain.NAME` | has a worker finish its games and stop | `agon.by.USER.answer.NAME` |
//! | `agon.by.USER.status.NAME` | every second: the status of a worker | |
//! | `agon.by.USER.take.RUN` | a slot of a worker asks for a job | the coordinator: a job, or nothing |
//! | `agon.by.USER.keep.RUN` | a worker goes on with a job | |
//! | `agon.by.USER.began.RUN` | which slot a worker begins | |
//! | `agon.by.USER.move.RUN` | a move of a site's game, for its spectators | |
//! | `agon.by.USER.result.RUN` | the record of a slot, or a part of it | the coordinator: whether it has it |
//! | `agon.by.USER.end.RUN` | a worker gives a job back | the coordinator |
//! | `agon.by.USER.fetch.RUN` | asks for a part of the notice of a run, or of a program | the coordinator |
//! | `agon.to.USER.…` | an answer to a request of this user | |
//!
//! Everything that a worker publishes is below `agon.by.USER`, and everything sent to it below `agon.to.USER`, so that
//! a server can prevent users from publishing as someone else or reading others' messages.
//!
//! Servers do not check the reply subject of a message. Whoever answers there lends the sender their own permissions,
//! so [`is_reply`] is checked before every answer, and no worker or viewer may publish to a subject that the server
//! itself answers. The server stores nothing: coordinators keep the jobs, and workers keep the results until a
//! coordinator has them.

/// Requests the status of every worker and run.
pub const ASK: &str = "agon.ask";
pub const RUNS: &str = "agon.run.*";
pub const WORKERS: &str = "agon.by.*.status.*";
/// Status subject of workers of agon 0.2 and older.
pub const OLD_WORKERS: &str = "agon.worker.*";

/// Messages of a worker to the coordinator of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    Take,
    Keep,
    Began,
    Move,
    Result,
    End,
    Fetch,
}

impl Verb {
    const ALL: [Self; 7] = [Self::Take, Self::Keep, Self::Began, Self::Move, Self::Result, Self::End, Self::Fetch];

    const fn name(self) -> &'static str {
        match self {
            Self::Take => "take",
            Self::Keep => "keep",
            Self::Began => "began",
            Self::Move => "move",
            Self::Result => "result",
            Self::End => "end",
            Self::Fetch => "fetch",
        }
    }
}

/// Subject for a message of a user's worker to the coordinator of a run.
pub fn to_run(user: &str, verb: Verb, run: &str) -> String {
    format!("agon.by.{user}.{}.{run}", verb.name())
}

/// Subject of all messages from workers to the coordinator of a run.
pub fn of_run(run: &str) -> String {
    format!("agon.by.*.*.{run}")
}

/// The verb of a message to the coordinator of a run.
pub fn verb(subject: &str) -> Option<Verb> {
    let name = subject.split('.').nth(3)?;
    Verb::ALL.into_iter().find(|verb| verb.name() == name)
}

/// The prefix of the subjects on which a user receives answers.
pub fn inbox(user: &str) -> String {
    format!("agon.to.{user}")
}

/// Returns true if a user may be answered on this subject: it is one of that user's own, and a single subject.
pub fn is_reply(user: &str, reply: &str) -> bool {
    let own = reply.strip_prefix("agon.to.").and_then(|rest| rest.strip_prefix(user)?.strip_prefix('.'));
    let is_token = |token: &str| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_alphanumeric());
    own.is_some_and(|own| own.len() <= MAX_REPLY_CHARS && own.split('.').all(is_token))
}

/// The longest reply subject below a user's prefix.
const MAX_REPLY_CHARS: usize = 100;

pub fn run(run: &str) -> String {
    format!("agon.run.{run}")
}

pub fn worker(user: &str, name: &str) -> String {
    format!("agon.by.{user}.status.{name}")
}

/// The answer of a worker to an order.
pub fn answer(user: &str, name: &str) -> String {
    format!("agon.by.{user}.answer.{name}")
}

/// Returns the publisher of a message, as verified by its server.
pub fn user(subject: &str) -> Option<&str> {
    subject.strip_prefix("agon.by.")?.split('.').next()
}

pub fn drain(name: &str) -> String {
    format!("agon.drain.{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_answered_on_subjects_of_its_own() {
        for (reply, good) in [
            ("agon.to.ann.x", true),
            ("agon.to.ann.Xy12.3", true),
            ("agon.to.ann", false),
            ("agon.to.ann.", false),
            ("agon.to.ann.*", false),
            ("agon.to.ann.>", false),
            ("agon.to.ann..x", false),
            ("agon.to.anne.x", false),
            ("agon.to.bob.x", false),
            ("agon.by.ann.result.r", false),
            ("agon.run.r", false),
            ("$JS.API.STREAM.DELETE.AGON_JOBS", false),
            ("", false),
        ] {
            assert_eq!(is_reply("ann", reply), good, "{reply}");
        }
        assert!(!is_reply("ann", &format!("agon.to.ann.{}", "x".repeat(200))));
    }

    #[test]
    fn the_verb_of_a_message_comes_back() {
        for verb_of in Verb::ALL {
            let subject = to_run("ann", verb_of, "r");
            assert_eq!((verb(&subject), user(&subject)), (Some(verb_of), Some("ann")));
        }
        assert_eq!((verb("agon.by.ann.status.r"), verb("agon.by")), (None, None));
    }
}
