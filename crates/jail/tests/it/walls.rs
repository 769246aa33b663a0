//! The walls around a program, without namespaces: honest compilers and runtimes work within them, and what is outside
//! stays outside.
//!
//! Everything is tested at both levels, as the user of the tests and, if that is root, as one without privileges.
//! Compilers and runtimes are also tested in a whole jail, if this machine has one.

#![allow(unsafe_code)]

use std::ffi::CString;
use std::fs;
use std::io::{self, Read};
use std::net::TcpListener;
use std::os::fd::{AsFd, AsRawFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use agon_jail::walls::{Walls, landlock_version};
use agon_jail::{Jail, Keeper, Level, ProcessExit, Program, Writes, filter, probe, try_level};
use rustix::event::{PollFd, PollFlags, poll};
use tempfile::TempDir;

/// A user who has no privileges and owns nothing.
const UNPRIVILEGED: u32 = 65_534;

/// A level, and the user to be, if it is another one.
#[derive(Clone, Copy, Debug)]
struct Setting {
    level: Level,
    user: Option<u32>,
}

/// A program's folder, including one for temporary files.
struct Place {
    folder: TempDir,
    setting: Setting,
}

fn settings() -> Vec<Setting> {
    let levels = [Level::Landlock, Level::Full].into_iter().filter(|&level| match try_level(level) {
        Ok(_) => true,
        Err(obstacle) => {
            eprintln!("level {level} is not tested: {}", obstacle.why);
            false
        }
    });
    let users = if rustix::process::geteuid().is_root() { vec![None, Some(UNPRIVILEGED)] } else { vec![None] };
    let of_level = |level| users.iter().map(move |&user| Setting { level, user });
    levels.flat_map(of_level).collect()
}

impl Place {
    fn new(setting: Setting) -> Self {
        let folder = tempfile::Builder::new().prefix("walls").tempdir_in("/tmp").unwrap();
        fs::create_dir(folder.path().join("space")).unwrap();
        for path in [folder.path().to_owned(), folder.path().join("space")] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
        }
        Self { folder, setting }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// A command within the walls that may also see these, and that may write into its folder if that is kept.
    fn command(&self, words: &[&str], visible: &[PathBuf], writes: Writes) -> Command {
        let Setting { level, user } = self.setting;
        let folder = self.folder.path().to_owned();
        let visible = visible.iter().cloned().chain([folder.clone()]).collect();
        // The processes of all settings are one user's here.
        let jail = Jail { level, visible, folder: Some(folder), writes, disk: 64 << 20, processes: 10_000 };
        let walls = Walls::new(&jail, Some(&self.path("space"))).unwrap();
        let keeper = filter::common(level).unwrap();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(&self.folder).env_clear().stdin(Stdio::null());
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LANG", "C.UTF-8");
        command.env("TMPDIR", self.path("space")).env("HOME", self.path("space"));
        if let Some(user) = user {
            command.uid(user).gid(user);
        }
        let raise = move || {
            filter::put_on(&keeper)?;
            walls.raise().map_err(io::Error::from)
        };
        // SAFETY: it only makes system calls and takes memory, for which the C library holds no lock across a fork.
        unsafe { command.pre_exec(raise) };
        command
    }

    #[track_caller]
    fn output(&self, words: &[&str], visible: &[PathBuf], writes: Writes) -> Output {
        match self.command(words, visible, writes).output() {
            Ok(output) => output,
            Err(error) => panic!("{words:?} in {:?}: {error}", self.setting),
        }
    }

    /// Runs a command that must succeed without a complaint, and returns its output.
    #[track_caller]
    fn run(&self, words: &[&str], visible: &[PathBuf], writes: Writes) -> String {
        let output = self.output(words, visible, writes);
        let (lines, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && errors.is_empty(), "{words:?} in {:?}: {lines}{errors}", self.setting);
        lines.into_owned()
    }
}

/// Where a program is, if it is installed.
fn installed(name: &str) -> Option<PathBuf> {
    let found = ["/usr/local/bin", "/usr/bin", "/bin"].iter().map(|folder| Path::new(folder).join(name));
    let found = found.into_iter().find(|path| path.exists());
    if found.is_none() {
        eprintln!("not tested: there is no {name}");
    }
    found
}

/// Compiles a program, if its compiler is installed, and runs it with each of these commands, in every setting.
#[track_caller]
fn compiled(source: (&str, &str), compiler: &[&str], programs: &[&[&str]]) {
    if installed(compiler[0]).is_none() {
        return;
    }
    for setting in settings() {
        let place = Place::new(setting);
        place.write(source.0, source.1);
        place.run(compiler, &[], Writes::Kept);
        for program in programs {
            assert_eq!(place.run(program, &[], Writes::Forgotten), "42\n", "{setting:?}");
        }
    }
    in_a_whole_jail(source, Some(compiler), programs, &[]);
}

/// Runs a script by its interpreter, if that is installed, in every setting.
#[track_caller]
fn interpreted(interpreter: &str, source: (&str, &str)) {
    if installed(interpreter).is_none() {
        return;
    }
    for setting in settings() {
        let place = Place::new(setting);
        place.write(source.0, source.1);
        assert_eq!(place.run(&[interpreter, source.0], &[], Writes::Forgotten), "42\n", "{setting:?}");
    }
    in_a_whole_jail(source, None, &[&[interpreter, source.0]], &[]);
}

/// The same with a keeper, at level full and with the limits of a game, if this machine has that level.
#[track_caller]
fn in_a_whole_jail(source: (&str, &str), compiler: Option<&[&str]>, programs: &[&[&str]], tools: &[PathBuf]) {
    let probe = probe();
    if probe.level != Level::Full {
        eprintln!("not tested in a whole jail: {}", probe.obstacles[0].why);
        return;
    }
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(source.0), source.1).unwrap();
    if let Some(compiler) = compiler {
        let (output, mut keeper) = kept(&folder, compiler, Writes::Kept, tools);
        assert_eq!(output, "", "{compiler:?}");
        let made = keeper.folder().unwrap();
        for entry in fs::read_dir(format!("/proc/self/fd/{}", made.as_raw_fd())).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
        keeper.give_back();
    }
    for program in programs {
        let (output, keeper) = kept(&folder, program, Writes::Forgotten, tools);
        assert_eq!(output, "42\n", "{program:?}");
        keeper.give_back();
    }
}

/// Runs a command in a jail with this folder. Returns its output, including complaints, and its keeper.
#[track_caller]
fn kept(folder: &TempDir, words: &[&str], writes: Writes, tools: &[PathBuf]) -> (String, Keeper) {
    let visible = tools.iter().cloned().chain([folder.path().to_owned()]).collect();
    let folder = Some(folder.path().to_owned());
    let jail = Jail { level: Level::Full, visible, folder, writes, disk: 64 << 20, processes: 64 };
    let mut keeper = Keeper::take(Some(1 << 30), &jail).unwrap();
    let text = |text: &str| CString::new(text).unwrap();
    let program = Program {
        path: text("/usr/bin/env"),
        words: [&["env"], words].concat().into_iter().map(text).collect(),
        environment: ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/tmp"].map(text).to_vec(),
    };
    let (output, written) = io::pipe().unwrap();
    let null = fs::File::open("/dev/null").unwrap();
    keeper.load(&program, written.as_fd(), written.as_fd()).unwrap();
    let (_, pidfd) = keeper.start(null.as_fd(), "", false).unwrap();
    drop(written);
    let lines = io::read_to_string(output).unwrap();
    poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], None).unwrap();
    assert_eq!(keeper.end(), Some(ProcessExit::Code(0)), "{words:?}: {lines}");
    (lines, keeper)
}

#[test]
fn c_works() {
    let source = r#"
        #define _GNU_SOURCE
        #include <errno.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static void *answer(void *number) { return (char *) number + 1; }
        int main(void) {
            pthread_t thread;
            void *result;
            if (pthread_create(&thread, NULL, answer, (void *) 41) || pthread_join(thread, &result)) return 1;
            if (fork() == 0) _exit(0);
            wait(NULL);
            /* What .NET asks for, and goes on without. */
            if (ftruncate(memfd_create("code", 0), 1LL << 41) == 0 || errno != EFBIG) return 2;
            printf("%ld\n", (long) result);
            return 0;
        }"#;
    compiled(("main.c", source), &["gcc", "-O2", "-pthread", "-o", "main", "main.c"], &[&["./main"]]);
}

#[test]
fn cpp_works() {
    let source = r"
        #include <algorithm>
        #include <iostream>
        #include <random>
        #include <thread>
        #include <vector>
        int main() {
            std::vector<int> numbers(42);
            std::thread([&] { std::iota(numbers.begin(), numbers.end(), std::random_device{}() % 1000); }).join();
            std::cout << std::ranges::max(numbers) - numbers[0] + 1 << std::endl;
        }";
    let source = format!("#include <numeric>\n{source}");
    compiled(
        ("main.cpp", &source),
        &["g++", "-std=c++20", "-O2", "-pthread", "-o", "main", "main.cpp"],
        &[&["./main"]],
    );
}

#[test]
fn rust_works() {
    let source = r#"
        fn main() {
            let mut map = std::collections::HashMap::new();
            map.insert("answer", std::thread::spawn(|| 42).join().unwrap());
            let shell = std::process::Command::new("/bin/true").status().unwrap();
            assert!(shell.success());
            println!("{}", map["answer"]);
        }"#;
    // The one that runs these tests: the one on the path may only select compilers.
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    let sysroot = PathBuf::from(String::from_utf8(sysroot.stdout).unwrap().trim());
    let compiler = sysroot.join("bin/rustc");
    for setting in settings() {
        // The home of another user, which may be closed.
        if setting.user.is_some() && !readable_by_all(&compiler) {
            continue;
        }
        let place = Place::new(setting);
        place.write("main.rs", source);
        let words = [compiler.to_str().unwrap(), "-O", "-o", "main", "main.rs"];
        place.run(&words, std::slice::from_ref(&sysroot), Writes::Kept);
        assert_eq!(place.run(&["./main"], &[], Writes::Forgotten), "42\n", "{setting:?}");
    }
    let words = [compiler.to_str().unwrap(), "-O", "-o", "main", "main.rs"];
    in_a_whole_jail(("main.rs", source), Some(&words), &[&["./main"]], std::slice::from_ref(&sysroot));
}

fn readable_by_all(path: &Path) -> bool {
    path.ancestors().skip(1).all(|folder| fs::metadata(folder).is_ok_and(|data| data.permissions().mode() & 1 == 1))
}

#[test]
fn java_works() {
    let source = r"
        import java.util.stream.IntStream;
        public class Main {
            public static void main(String[] words) throws Exception {
                int[] answer = new int[1];
                Thread thread = new Thread(() -> answer[0] = IntStream.range(0, 42).parallel().map(x -> 1).sum());
                thread.start();
                thread.join();
                System.gc();
                System.out.println(answer[0]);
            }
        }";
    compiled(
        ("Main.java", source),
        &["javac", "-d", ".", "Main.java"],
        &[&["java", "-XX:+UseSerialGC", "-cp", ".", "Main"], &["java", "-cp", ".", "Main"]],
    );
}

/// What bots in Python do, and what its own library does with processes.
const PYTHON: &str = r#"
import ctypes, hashlib, json, os, random, select, subprocess, sys, tempfile, threading, time
answers = []
thread = threading.Thread(target=lambda: answers.append(41))
thread.start()
thread.join()
assert subprocess.run(["/bin/true"]).returncode == 0
child = subprocess.Popen(["sleep", "60"])
child.kill()
assert child.wait() == -9
with tempfile.TemporaryFile() as file:
    file.write(b"state")
select.select([], [], [], 0.001)
time.sleep(0.001)
random.seed()
print(answers[0] + int(os.getpid() > 0))
"#;

#[test]
fn python_works() {
    interpreted("python3", ("main.py", PYTHON));
    let pools = r#"
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import Pipe
def one(_):
    return 1
if __name__ == "__main__":
    near, far = Pipe()
    near.send(2)
    with ThreadPoolExecutor(4) as threads:
        print(sum(threads.map(one, range(40))) + far.recv())
"#;
    interpreted("python3", ("pools.py", pools));
}

#[test]
fn pypy_works() {
    interpreted("pypy3", ("main.py", PYTHON));
}

#[test]
fn node_works() {
    let source = r#"
        const { Worker, isMainThread, parentPort } = require("worker_threads");
        const { execFileSync } = require("child_process");
        const { readFileSync } = require("fs");
        if (isMainThread) {
            execFileSync("/bin/true");
            readFileSync("/dev/stdin");
            require("crypto").randomBytes(8);
            new Worker(__filename).on("message", number => console.log(number));
        } else {
            parentPort.postMessage(42);
        }"#;
    interpreted("node", ("main.js", source));
}

#[test]
fn ruby_works() {
    let source = r#"
        require "set"
        answer = Thread.new { Set.new(1..42).size }.value
        system("/bin/true") or abort
        reader, writer = IO.pipe
        fork { writer.puts answer }
        Process.wait
        puts reader.gets"#;
    interpreted("ruby", ("main.rb", source));
}

#[test]
fn nothing_of_its_privileges_is_left() {
    for setting in settings() {
        let place = Place::new(setting);
        let status = place.run(&["cat", "/proc/self/status"], &[], Writes::Forgotten);
        let value = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.unwrap_or_else(|| panic!("no {name}: {status}")).trim()
        };
        for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
            assert_eq!(value(set), "0000000000000000", "{set}, {setting:?}");
        }
        if setting.user.is_none() && rustix::process::geteuid().is_root() {
            assert_eq!(value("CapBnd"), "0000000000000000", "{setting:?}");
        }
        assert_eq!((value("NoNewPrivs"), value("Seccomp")), ("1", "2"), "{setting:?}");
        assert_eq!(value("Seccomp_filters"), "2", "{setting:?}");
    }
}

#[test]
fn limits_are_the_jails() {
    for setting in settings() {
        let place = Place::new(setting);
        let limits = place.run(&["cat", "/proc/self/limits"], &[], Writes::Forgotten);
        let limit = |name: &str| {
            let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("no {name}"));
            line.split_ascii_whitespace().take(2).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(limit("Max core file size"), "1 1", "{setting:?}");
        assert_eq!(limit("Max locked memory"), "65536 65536", "{setting:?}");
        assert_eq!(limit("Max msgqueue size"), "0 0", "{setting:?}");
        assert_eq!(limit("Max realtime priority"), "0 0", "{setting:?}");
        assert_eq!(limit("Max open files"), "1024 4096", "{setting:?}");
        if setting.level == Level::Full {
            assert_eq!(limit("Max processes"), "10001 10001", "{setting:?}");
            // The space is limited there.
            continue;
        }
        assert_eq!(limit("Max file size"), "67108864 67108864", "{setting:?}");
        let output = place.output(&["sh", "-c", "head -c 100M /dev/zero > space/big"], &[], Writes::Forgotten);
        assert_eq!(output.status.code(), Some(1), "an error rather than a signal, {setting:?}");
        assert_eq!(fs::metadata(place.path("space/big")).unwrap().len(), 64 << 20, "{setting:?}");
    }
}

/// Each of these must fail, whoever tries it: root owns most of these files.
#[test]
fn files_of_others_cannot_be_used() {
    // Not below /tmp, which is a folder of the jail itself behind its own root: these tests only have the walls.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let place = if target.starts_with("/tmp") { Path::new("/var/tmp") } else { target };
    let outside = tempfile::Builder::new().prefix("outside").tempdir_in(place).unwrap();
    fs::set_permissions(&outside, fs::Permissions::from_mode(0o777)).unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o666)).unwrap();
    // Where everyone may write.
    let temporary = tempfile::Builder::new().prefix("agon-walls-").tempdir().unwrap();
    fs::set_permissions(&temporary, fs::Permissions::from_mode(0o777)).unwrap();
    let own = std::process::id();
    // As words of the shell, since they may contain blanks.
    let [secret, folder, temporary] =
        [&secret, outside.path(), temporary.path()].map(|path| format!("'{}'", path.display()));
    for setting in settings() {
        let place = Place::new(setting);
        place.write("bot", "moves");
        fs::set_permissions(place.path("bot"), fs::Permissions::from_mode(0o666)).unwrap();
        let mut attempts = vec![
            format!("echo 1 >> {secret}"),
            format!(": > {secret}"),
            format!("rm {secret}"),
            format!("mv {secret} {folder}/moved"),
            format!("ln {secret} space/linked"),
            format!("touch {folder}/new"),
            format!("mkdir {folder}/new"),
            format!("truncate -s 0 {secret}"),
            format!("cat /proc/{own}/environ"),
            format!("cat /proc/{own}/maps"),
            format!("readlink -v /proc/{own}/fd/1"),
            format!("echo 1 > /proc/{own}/fd/1"),
            format!("cat /proc/{own}/fd/0"),
            format!("readlink -v /proc/{own}/cwd"),
            format!("renice 19 {own}"),
            "unshare -U true".to_owned(),
            // Nothing is written, should it be opened.
            ": >> /proc/sys/vm/overcommit_memory".to_owned(),
            "mknod space/device c 1 3".to_owned(),
        ];
        if landlock_version() >= 6 {
            attempts.extend([format!("kill -0 {own}"), format!("kill -CONT {own}")]);
        }
        if setting.level == Level::Landlock {
            attempts.extend([
                format!("cat {secret}"),
                format!("ls {folder}"),
                "cat /etc/passwd".to_owned(),
                "cat /etc/shadow".to_owned(),
                "ls /tmp".to_owned(),
                format!("echo 1 > {temporary}/new"),
                "echo 1 >> bot".to_owned(),
                "rm bot".to_owned(),
                "echo 1 > new".to_owned(),
                // Landlock watches neither.
                format!("chmod 644 {secret}"),
                format!("touch -d @1 {secret}"),
                format!("chown 1:1 {secret}"),
            ]);
        }
        for attempt in attempts {
            let output = place.output(&["sh", "-c", &format!("({attempt}) 2>&1")], &[], Writes::Forgotten);
            let lines = String::from_utf8_lossy(&output.stdout);
            assert!(!output.status.success(), "{attempt} in {setting:?}: {lines}");
            let refused = ["ermission denied", "not permitted", "Invalid cross-device link", "not implemented"];
            assert!(refused.iter().any(|refused| lines.contains(refused)), "{attempt} in {setting:?}: {lines}");
        }
        for attempt in [
            "echo 1 > space/new && cat space/new",
            "cat bot",
            "echo 1 > /dev/null",
            "kill -0 $$",
            // Answered, and not done.
            "taskset 1 true",
        ] {
            place.run(&["sh", "-c", attempt], &[], Writes::Forgotten);
        }
        assert_eq!(fs::read_to_string(outside.path().join("secret")).unwrap(), "secret", "{setting:?}");
    }
}

#[test]
fn no_socket_leads_outside() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let name = format!("agon-walls-{}", std::process::id());
    let _abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let port = tcp.local_addr().unwrap().port();
    let attempt = |family: &str, kind: &str, then: &str| {
        format!("import socket; s = socket.socket(socket.{family}, socket.{kind}, 0); {then}; print('reached')")
    };
    let attempts = [
        attempt("AF_INET", "SOCK_STREAM", &format!("s.connect(('127.0.0.1', {port}))")),
        attempt("AF_INET", "SOCK_STREAM", "s.bind(('127.0.0.1', 0)); s.listen()"),
        attempt("AF_INET", "SOCK_DGRAM", "s.sendto(b'x', ('127.0.0.1', 9))"),
        attempt("AF_INET6", "SOCK_STREAM", "s.bind(('::1', 0))"),
        attempt("AF_NETLINK", "SOCK_RAW", "s.bind((0, 0))"),
        attempt("AF_PACKET", "SOCK_RAW", "pass"),
        attempt("AF_VSOCK", "SOCK_STREAM", "s.bind((socket.VMADDR_CID_ANY, 4444))"),
        attempt("AF_UNIX", "SOCK_STREAM", &format!("s.connect('\\0{name}')")),
        "import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); \
         a.sendto(b'x', '\\0none')"
            .to_owned(),
    ];
    for setting in settings() {
        let place = Place::new(setting);
        for attempt in &attempts {
            let output = place.output(&["/usr/bin/python3", "-c", attempt], &[], Writes::Forgotten);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.stdout.is_empty(), "{attempt} in {setting:?}");
            assert!(errors.contains("Error:"), "{attempt} in {setting:?}: {errors}");
        }
    }
}

/// A process of the same user outside of the walls is there before and after all that a program does to it.
#[test]
fn processes_of_others_live_on() {
    if landlock_version() < 6 {
        eprintln!("not tested: this kernel's Landlock does not watch signals");
        return;
    }
    for setting in settings() {
        let place = Place::new(setting);
        let mut other = Outsider::new(setting.user);
        let pid = other.0.id();
        let attempts =
            ["kill -9", "kill -STOP", "kill -TERM", "taskset -p 1", "renice 19"].map(|kill| format!("{kill} {pid}; "));
        let script = attempts.concat() + &format!("echo 1000 > /proc/{pid}/oom_score_adj");
        place.output(&["sh", "-c", &script], &[], Writes::Forgotten);
        other.answers();
    }
}

/// A program that answers once.
struct Outsider(Child);

impl Outsider {
    fn new(user: Option<u32>) -> Self {
        let mut command = Command::new("cat");
        if let Some(user) = user {
            command.uid(user).gid(user);
        }
        Self(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap())
    }

    fn answers(&mut self) {
        drop(self.0.stdin.take().map(|mut input| io::Write::write_all(&mut input, b"alive")));
        let mut answer = String::new();
        self.0.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
        assert_eq!(answer, "alive");
        assert!(self.0.wait().unwrap().success());
    }
}
