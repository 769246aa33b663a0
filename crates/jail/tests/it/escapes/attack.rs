//! The attacks made in games: the list, and how each must end.

use agon_jail::Level;
use agon_referee::verdict::Verdict::{self, Mle, Ok, Re, Tle};

/// The language of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// `programs/*.c`, one program.
    C,
    /// `programs/attacks.py`.
    Python,
    /// `programs/Attacks.java`.
    Java,
}

/// One attack.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Attack {
    /// Its name, the argument of the attacking program.
    pub name: &'static str,
    /// The attacker must get one of these verdicts; OK when it plays to the end.
    pub verdicts: &'static [Verdict],
    /// How many games are played one after another: in the second one nothing of the first may be found. With
    /// `measured`, the maximum, until one is played while the machine is idle enough to show it.
    pub games: u32,
    /// Whether the program that is not on turn is frozen. The opponent then takes some time for its moves.
    pub freeze: bool,
    /// Whether to measure how long it ran on the opponent's turns despite being frozen.
    pub measured: bool,
    /// Whether whatever it leaves running when it ends must be reported.
    pub leaves: bool,
    /// Whether only a control group can attribute the memory; without one, nothing is played.
    pub needs_group: bool,
    /// The additional verdicts allowed at level landlock.
    pub at_landlock: &'static [Verdict],
    /// Why level landlock does not stop it, if it does not. It is still made there: it must not harm the opponent.
    pub open: Option<&'static str>,
}

const fn attack(name: &'static str) -> Attack {
    Attack {
        name,
        verdicts: &[Ok],
        games: 1,
        freeze: false,
        measured: false,
        leaves: false,
        needs_group: false,
        at_landlock: &[],
        open: None,
    }
}

const fn ends(name: &'static str, verdicts: &'static [Verdict]) -> Attack {
    Attack { verdicts, ..attack(name) }
}

/// One with very many processes, if only for a moment. At level landlock they are counted now and then, and a program
/// that is seen to have too many is killed.
const fn bomb(name: &'static str) -> Attack {
    Attack { at_landlock: &[Re], ..attack(name) }
}

const fn twice(name: &'static str) -> Attack {
    Attack { games: 2, ..attack(name) }
}

const fn frozen(name: &'static str) -> Attack {
    Attack { freeze: true, ..attack(name) }
}

impl Attack {
    const fn open_at_landlock(mut self, why: &'static str) -> Self {
        self.open = Some(why);
        self
    }

    /// Why this level does not stop it, if it does not.
    pub fn is_open(&self, level: Level) -> Option<&'static str> {
        self.open.filter(|_| level == Level::Landlock)
    }

    /// Whether a verdict is right at a level.
    pub fn may_end(&self, level: Level, verdict: Verdict) -> bool {
        self.verdicts.contains(&verdict) || level == Level::Landlock && self.at_landlock.contains(&verdict)
    }

    /// The language of its program.
    pub fn written(&self) -> Written {
        match self.name.split_once('-') {
            Some(("python", _)) => Written::Python,
            Some(("java", _)) => Written::Java,
            _ => Written::C,
        }
    }
}

// Why a level does not stop an attack.
const PROCESSES: &str = "the kernel counts the processes of the judge's user, not those of a program";
const NAMES: &str = "Landlock has no rule for stat: that there is a file can be seen, though not what is in it";
const LONG_FILES: &str = "a file in memory is ended by the limit of every file, with verdict RE, before that of memory";
const DISK: &str = "the length of each file is limited, not that of all together";
const NO_MOUNTS: &str = "reading a file notes the time, as it does for everybody";
const NUMBERS: &str = "without a pid namespace the machine numbers processes, one after the other";

/// All of them.
pub const ATTACKS: &[Attack] = &[
    // Processes that are to outlive the game.
    attack("daemon-of-two-forks"),
    attack("daemon-of-setsid"),
    attack("daemon-without-environment"),
    attack("daemon-without-descriptors"),
    attack("daemons-of-a-subreaper"),
    attack("daemon-as-sibling"),
    attack("daemon-as-sibling-of-a-thread"),
    attack("daemon-that-is-undumpable"),
    attack("daemon-under-another-name"),
    attack("daemon-that-is-stopped"),
    attack("daemon-within-vfork"),
    Attack { leaves: true, ..bomb("daemons-in-a-chain") },
    Attack { leaves: true, ..attack("helper-that-stays") },
    attack("daemon-that-forks-at-signals"),
    ends("daemon-and-hang", &[Tle]),
    attack("leaderless-daemon"),
    attack("daemon-without-its-first-thread"),
    attack("python-daemon"),
    attack("java-daemon"),
    // Bombs.
    attack("fork-bomb").open_at_landlock(PROCESSES),
    bomb("fork-bomb-of-generations"),
    attack("thread-bomb").open_at_landlock(PROCESSES),
    attack("zombies").open_at_landlock(PROCESSES),
    bomb("dying-orphans"),
    attack("python-forks").open_at_landlock(PROCESSES),
    attack("python-threads").open_at_landlock(PROCESSES),
    attack("java-threads").open_at_landlock(PROCESSES),
    // Load on the opponent's turn. The judge knows the time of one process to the microsecond, that of its descendants
    // only now and then.
    Attack { measured: true, games: 8, ..frozen("load-by-threads") },
    frozen("load-by-daemons"),
    // On a busy machine the kernel is late in freeing the resources of thousands of processes, which count as its
    // memory.
    Attack { verdicts: &[Ok, Mle], ..frozen("load-by-system-calls") },
    // Other processes.
    attack("kill-everybody"),
    attack("stop-everybody"),
    attack("signal-every-number"),
    attack("signal-by-other-ways"),
    attack("signal-by-the-owner-of-a-file"),
    attack("signal-storm-upwards"),
    attack("join-a-group-outside"),
    attack("trace-everybody"),
    attack("trace-me"),
    attack("trace-by-a-child"),
    attack("read-memory-of-everybody"),
    attack("folders-of-everybody"),
    attack("forge-moves-through-proc"),
    attack("steal-descriptors"),
    attack("inherited-descriptors"),
    attack("renice-everybody"),
    attack("limit-everybody"),
    attack("raise-own-limits"),
    attack("realtime-priority"),
    attack("more-processors"),
    attack("spare-me-when-memory-runs-out"),
    attack("python-environment"),
    attack("python-proc"),
    attack("python-signals"),
    // Memory.
    ends("memory-private", &[Mle]),
    ends("memory-shared", &[Mle]),
    ends("memory-of-memfd", &[Mle]).open_at_landlock(LONG_FILES),
    ends("memory-of-mapped-memfd", &[Mle]).open_at_landlock(LONG_FILES),
    ends("memory-of-many-memfds", &[Mle]),
    ends("memory-of-sysv", &[Ok, Mle]),
    // There may be less room in these folders than memory.
    ends("memory-of-dev-shm", &[Ok, Mle]),
    ends("memory-of-dev-shm-unlinked", &[Ok, Mle]),
    ends("memory-of-dev-shm-closed", &[Ok, Mle]),
    ends("memory-of-tmp", &[Ok, Mle]),
    ends("memory-of-tmp-and-pages", &[Mle]),
    ends("memory-of-sockets", &[Mle]),
    ends("memory-of-sockets-of-children", &[Mle]),
    // The kernel gives a user only so much of it.
    ends("memory-of-pipes", &[Ok, Mle]),
    ends("memory-of-children", &[Mle]),
    ends("memory-of-a-daemon", &[Mle]),
    ends("leaderless-memory", &[Mle]),
    Attack { needs_group: true, ..ends("memory-in-flight", &[Mle]) },
    ends("memory-of-page-tables", &[Mle]),
    ends("memory-that-is-locked", &[Mle]),
    ends("memory-for-a-moment", &[Mle]),
    ends("python-memory", &[Mle]),
    ends("java-memory", &[Mle]),
    // Files.
    attack("read-secret").open_at_landlock(NAMES),
    attack("read-source-of-opponent").open_at_landlock(NAMES),
    attack("read-database").open_at_landlock(NAMES),
    attack("read-cache").open_at_landlock(NAMES),
    attack("read-passwords"),
    attack("search-everywhere"),
    attack("python-secrets"),
    attack("java-files"),
    attack("delete-database"),
    attack("change-source-of-opponent"),
    attack("poison-cache"),
    attack("change-program-of-opponent"),
    attack("change-own-program"),
    attack("python-delete"),
    attack("plant-links"),
    attack("write-in-system-folders"),
    attack("write-system-files"),
    attack("write-kernel-settings"),
    attack("make-devices"),
    attack("open-devices"),
    attack("leave-by-chroot"),
    attack("open-by-handle"),
    attack("walk-up-from-open-folders"),
    attack("programs-with-setuid"),
    // It may also be too much memory: the folders that a program may write to are there.
    ends("fill-disk", &[Ok, Mle]).open_at_landlock(DISK),
    ends("fill-inodes", &[Ok, Mle]),
    attack("huge-sparse-file"),
    attack("flood-errors"),
    attack("terminal-escapes"),
    // State between games.
    twice("state-in-tmp"),
    twice("state-in-folder"),
    twice("state-in-dev-shm"),
    twice("state-in-home"),
    twice("state-beside-the-program"),
    twice("state-in-sysv-ipc"),
    twice("state-in-numbers-of-ipc"),
    twice("state-in-posix-ipc"),
    twice("state-in-abstract-socket"),
    twice("state-in-access-times").open_at_landlock(NO_MOUNTS),
    twice("state-in-file-times"),
    twice("state-in-locks"),
    twice("state-in-keyrings"),
    twice("state-in-process-numbers").open_at_landlock(NUMBERS),
    twice("state-in-the-system"),
    twice("python-state"),
    twice("python-packages"),
    twice("java-state"),
    // Sockets.
    attack("connect-by-tcp"),
    attack("send-by-udp"),
    attack("listen-by-tcp"),
    attack("connect-to-a-unix-socket"),
    attack("connect-to-an-abstract-socket"),
    attack("listen-on-an-abstract-socket"),
    attack("netlink"),
    attack("raw-sockets"),
    attack("vsock"),
    attack("every-family"),
    attack("change-the-network"),
    attack("python-sockets"),
    attack("java-sockets"),
    // The kernel.
    attack("new-namespaces-by-unshare"),
    attack("new-namespaces-by-clone"),
    attack("new-namespaces-by-clone3"),
    attack("enter-namespaces"),
    attack("mount-old"),
    attack("mount-new"),
    attack("keys"),
    attack("bpf"),
    attack("perf-events"),
    attack("userfaults"),
    attack("io-uring"),
    attack("fanotify-and-quotas"),
    attack("modules-and-reboot"),
    attack("clocks"),
    attack("capabilities"),
    attack("other-system-calls"),
    attack("personalities"),
    attack("type-on-the-terminal"),
    attack("filter-with-a-listener"),
    attack("pages-of-others"),
    attack("leave-control-groups"),
    attack("loosen-control-groups"),
    attack("freeze-control-groups"),
    attack("python-calls"),
];
