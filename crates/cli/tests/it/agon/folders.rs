//! The user's folders if none is named.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use crate::agon::run::{Ran, command, file, finish, folder, passing, text};

/// Answers READY and closes its output.
const BOT: &str = "int main(void) { return 0; }\n";

/// Plays a bot from source without a home, with these temporary files.
fn homeless(temporary: &Path, more: &[(&str, &Path)]) -> Ran {
    let folder = folder();
    let bot = file(&folder, "bot.c", BOT);
    let mut run = command(&["play", "bacteria", "--first", text(&bot), "--show", "none"]);
    for name in ["HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "AGON_CACHE", "AGON_STATE"] {
        run.env_remove(name);
    }
    run.env("TMPDIR", temporary).envs(more.iter().copied());
    finish(&mut run)
}

fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[test]
fn without_a_home_the_folder_is_private() {
    let temporary = folder();
    for _ in 0..2 {
        let ran = homeless(temporary.path(), &[]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    }
    let made: Vec<_> = fs::read_dir(temporary.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [made] = made.as_slice() else { panic!("{made:?}") };
    let data = fs::symlink_metadata(made).unwrap();
    assert_eq!((data.mode() & 0o7777, data.uid()), (0o700, user()));
    assert!(made.join("records").is_dir(), "the record of a failure is kept there, too");
}

#[test]
fn a_folder_that_others_may_write_is_refused() {
    #[track_caller]
    fn check(prepare: impl FnOnce(&Path), problem: &str) {
        let temporary = folder();
        let at = temporary.path().join(format!("agon-{}", user()));
        prepare(&at);
        let ran = homeless(temporary.path(), &[]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        // The folder of the records is the same one.
        let lines: Vec<&str> = ran.err.lines().collect();
        assert!(lines.len() == 2 && lines[0].starts_with("warning: "), "{}", ran.err);
        assert!(lines[1].starts_with("error: "), "{}", ran.err);
        for part in [text(&at), problem, "name another one in AGON_CACHE"] {
            assert!(ran.err.contains(part), "`{part}` is not in: {}", ran.err);
        }
    }
    let open = |at: &Path, mode: u32| {
        fs::create_dir(at).unwrap();
        fs::set_permissions(at, fs::Permissions::from_mode(mode)).unwrap();
    };
    check(|at| open(at, 0o777), "it is open to other users");
    check(|at| open(at, 0o710), "it is open to other users");
    check(|at| fs::write(at, "").unwrap(), "not a folder");
    let elsewhere = folder();
    check(|at| symlink(elsewhere.path(), at).unwrap(), "not a folder");
    // Only root can give a folder away.
    if user() == 0 {
        check(
            |at| {
                open(at, 0o700);
                std::os::unix::fs::chown(at, Some(65_534), None).unwrap();
            },
            "it belongs to another user",
        );
    }
}

#[test]
fn a_named_folder_that_every_user_may_write_is_refused() {
    let (temporary, named) = (folder(), folder());
    fs::set_permissions(named.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let ran = homeless(temporary.path(), &[("AGON_CACHE", named.path())]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    let message = format!(
        "cannot use the folder `{}`: every user of this machine may write there (chmod o-w mends that); name another \
            one in AGON_CACHE",
        text(named.path())
    );
    assert!(ran.err.contains(&message), "{}", ran.err);
    fs::set_permissions(named.path(), fs::Permissions::from_mode(0o775)).unwrap();
    let ran = homeless(temporary.path(), &[("AGON_CACHE", named.path())]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

/// Interpreted bots are started by their path in the cache, in another folder than the judge's.
#[test]
fn a_folder_may_be_named_from_the_current_one() {
    let place = folder();
    let bot = file(&place, "bot.py", &passing(""));
    for (variable, expected) in [("AGON_CACHE", "kept"), ("HOME", "kept/.cache/agon"), ("XDG_CACHE_HOME", "kept/agon")]
    {
        let mut run = command(&["play", "domineering", "--first", text(&bot), "--format", "json"]);
        for name in ["HOME", "XDG_CACHE_HOME", "AGON_CACHE"] {
            run.env_remove(name);
        }
        for named in ["kept", "./kept", "other/../kept"] {
            fs::create_dir_all(place.path().join("other")).unwrap();
            let ran = finish(run.current_dir(place.path()).env(variable, named));
            assert_eq!(ran.json()["verdicts"], serde_json::json!(["OK", "OK"]), "{variable}={named}");
            assert!(place.path().join(expected).is_dir(), "{variable}={named}");
        }
        fs::remove_dir_all(place.path().join("kept")).unwrap();
    }
}

/// A path that leads out of folders which the jail does not show.
#[test]
fn a_path_may_lead_out_of_hidden_folders() {
    let place = folder();
    let bot = |name: &str, content: &str| {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    };
    fs::create_dir_all(place.path().join("work/deep/here")).unwrap();
    bot("bots/one/bot.py", &passing(""));
    bot("nets/a.net", "");
    bot("bots/two/bot.py", &passing("open(sys.argv[1].split('=')[-1])"));
    let script = bot("bots/three/run", &passing(""));
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    for agent in [
        "python3 ../../../bots/one/bot.py",
        "python3 ../../deep/../../bots/one/bot.py",
        "python3 ../../../bots/two/bot.py --net=../../../nets/a.net",
        "../../../bots/three/run",
        "../../../bots/one/bot.py",
    ] {
        let mut run = command(&["play", "domineering", "--first", agent, "--format", "json"]);
        let result = finish(run.current_dir(place.path().join("work/deep/here"))).json();
        assert_eq!(result["verdicts"], serde_json::json!(["OK", "OK"]), "{agent}: {result}");
        assert_eq!(result["agents"][0], agent);
    }
}
