//! Who may do what at a server with `deploy/nats.conf`, and how users are identified: user and password, token, `NKey`,
//! TLS.

use std::fs;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use agon_arena::runner::queue::{Take as _, Taken};
use agon_fleet::{Fleet, FleetWatch, NatsOptions, RunJobs};
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa};

use crate::fleet::processes::{Ground, Running, TIMEOUT, password, timing, until};

/// The configuration of `deploy/` for a server of a test, with these changes.
fn configured(ground: &Ground, change: impl Fn(String) -> String) -> Running {
    let conf = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/nats.conf")).unwrap();
    fs::write(ground.path("nats.conf"), change(conf)).unwrap();
    ground.server(&["-c", ground.path("nats.conf").to_str().unwrap()])
}

/// Another owner of machines, as the comment in the configuration says, and one who may do everything.
fn with_other_users(conf: &str) -> String {
    let (at, end) = (conf.find("            user: worker").unwrap(), conf.find("        # An NKey needs").unwrap());
    let block = conf[at..end].replace(".worker.", ".other.");
    let block = block.replace("user: worker", "user: other").replace("$AGON_WORKER_PASSWORD", "other");
    let admin = "        { user: admin, password: admin }\n";
    conf.replace("        # An NKey needs", &format!("        {{\n{block}{admin}        # An NKey needs"))
}

/// The subjects of a fleet, with who may publish to each and who may subscribe: `p`layers, `w`orkers and `v`iewers.
/// `worker` is the user of the workers; `other` is another one.
const SUBJECTS: [(&str, &str, &str); 100] = [
    ("agon.run.r", "p", "pwv"),
    ("agon.run.*", "", "pwv"),
    ("agon.run.>", "", "pwv"),
    ("agon.drain.w", "p", "w"),
    ("agon.drain.*", "", "w"),
    ("agon.ask", "pwv", "pw"),
    ("agon.by.worker.take.r", "w", "p"),
    ("agon.by.worker.keep.r", "w", "p"),
    ("agon.by.worker.began.r", "w", "p"),
    ("agon.by.worker.move.r", "w", "p"),
    ("agon.by.worker.result.r", "w", "p"),
    ("agon.by.worker.end.r", "w", "p"),
    ("agon.by.worker.fetch.r", "w", "p"),
    ("agon.by.worker.status.n", "w", "pv"),
    ("agon.by.worker.answer.n", "w", "p"),
    ("agon.by.worker.else.r", "", "p"),
    ("agon.by.worker.result", "", "p"),
    ("agon.by.worker.result.r.s", "", "p"),
    ("agon.by.worker.*.r", "", "p"),
    ("agon.by.worker.>", "", "p"),
    ("agon.by.other.take.r", "", "p"),
    ("agon.by.other.keep.r", "", "p"),
    ("agon.by.other.began.r", "", "p"),
    ("agon.by.other.move.r", "", "p"),
    ("agon.by.other.result.r", "", "p"),
    ("agon.by.other.end.r", "", "p"),
    ("agon.by.other.fetch.r", "", "p"),
    ("agon.by.other.status.n", "", "pv"),
    ("agon.by.other.answer.n", "", "p"),
    ("agon.by.player.result.r", "", "p"),
    ("agon.by.*.*.r", "", "p"),
    ("agon.by.*.result.r", "", "p"),
    ("agon.by.*.status.*", "", "pv"),
    ("agon.by.>", "", "p"),
    // Answers to requests. Whoever reads others' answers reads their jobs and programs.
    ("agon.to.worker.x", "p", "w"),
    ("agon.to.worker.x.y", "p", "w"),
    ("agon.to.worker.>", "", "w"),
    ("agon.to.other.x", "p", ""),
    ("agon.to.player.x", "p", "p"),
    ("agon.to.viewer.x", "p", "v"),
    ("agon.to.*.x", "", ""),
    ("agon.to.>", "", ""),
    ("_INBOX.x", "", ""),
    ("_INBOX.>", "", ""),
    ("_INBOX_worker.x", "", ""),
    ("_INBOX_worker.>", "", ""),
    // Those of earlier versions; players look for workers of agon 0.2, to report that they are too old.
    ("agon.jobs.r", "", ""),
    ("agon.dead.r", "", ""),
    ("agon.by.worker.results.r", "", "p"),
    ("agon.by.worker.record.t.0", "", "p"),
    ("agon.results.r", "", ""),
    ("agon.began.r", "", ""),
    ("agon.move.r", "", ""),
    ("agon.worker.n", "", "p"),
    ("agon.worker.*", "", "p"),
    ("agon.>", "", ""),
    ("agon.*", "", ""),
    (">", "", ""),
    ("*", "", ""),
    ("other", "", ""),
    // No role manages or reads streams, whatever their names.
    ("$JS.API.INFO", "", ""),
    ("$JS.API.STREAM.NAMES", "", ""),
    ("$JS.API.STREAM.LIST", "", ""),
    ("$JS.API.STREAM.CREATE.AGON_JOBS", "", ""),
    ("$JS.API.STREAM.UPDATE.AGON_JOBS", "", ""),
    ("$JS.API.STREAM.INFO.AGON_JOBS", "", ""),
    ("$JS.API.STREAM.DELETE.AGON_JOBS", "", ""),
    ("$JS.API.STREAM.PURGE.AGON_JOBS", "", ""),
    ("$JS.API.STREAM.SNAPSHOT.AGON_JOBS", "", ""),
    ("$JS.API.STREAM.RESTORE.AGON_JOBS", "", ""),
    ("$JS.API.STREAM.MSG.GET.AGON_JOBS", "", ""),
    ("$JS.API.STREAM.MSG.DELETE.AGON_JOBS", "", ""),
    ("$JS.API.STREAM.TEMPLATE.CREATE.T", "", ""),
    ("$JS.API.STREAM.PEER.REMOVE.AGON_JOBS", "", ""),
    ("$JS.API.STREAM.LEADER.STEPDOWN.AGON_JOBS", "", ""),
    ("$JS.API.DIRECT.GET.OBJ_agon", "", ""),
    ("$JS.API.DIRECT.GET.OBJ_agon.$O.agon.M.x", "", ""),
    ("$JS.API.STREAM.INFO.OBJ_agon", "", ""),
    ("$JS.API.STREAM.INFO.AGON_DEAD", "", ""),
    ("$JS.API.STREAM.MSG.GET.AGON_DEAD", "", ""),
    ("$JS.API.CONSUMER.CREATE.AGON_JOBS", "", ""),
    ("$JS.API.CONSUMER.CREATE.AGON_JOBS.c.agon.jobs.r", "", ""),
    ("$JS.API.CONSUMER.DURABLE.CREATE.AGON_JOBS.r", "", ""),
    ("$JS.API.CONSUMER.NAMES.AGON_JOBS", "", ""),
    ("$JS.API.CONSUMER.LIST.AGON_JOBS", "", ""),
    ("$JS.API.CONSUMER.INFO.AGON_JOBS.r", "", ""),
    ("$JS.API.CONSUMER.DELETE.AGON_JOBS.r", "", ""),
    ("$JS.API.CONSUMER.MSG.NEXT.AGON_JOBS.r", "", ""),
    ("$JS.API.>", "", ""),
    ("$JS.ACK.AGON_JOBS.r.1.1.1.1.1", "", ""),
    ("$JS.FC.AGON_JOBS.r.x", "", ""),
    ("$JS.EVENT.ADVISORY.>", "", ""),
    ("$O.agon.M.x", "", ""),
    ("$O.agon.C.x", "", ""),
    ("$O.agon.>", "", ""),
    ("$KV.agon.x", "", ""),
    ("$SRV.PING", "", ""),
    ("$SYS.REQ.ACCOUNT.PING.CONNZ", "", ""),
    ("$SYS.REQ.USER.INFO", "", ""),
    ("$SYS.>", "", ""),
];

/// A connection that speaks to the server by itself.
struct Plain {
    stream: TcpStream,
    lines: Lines<BufReader<TcpStream>>,
}

impl Plain {
    fn new(ground: &Ground, user: &str, password: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", ground.port())).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        assert!(lines.next().unwrap().unwrap().starts_with("INFO "));
        let connect = serde_json::json!({
            "verbose": false, "pedantic": false, "headers": true, "user": user, "pass": password,
        });
        let mut plain = Self { stream, lines };
        plain.send(&format!("CONNECT {connect}\r\n"));
        plain
    }

    fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    /// The server's output until now.
    fn said(&mut self) -> Vec<String> {
        self.send("PING\r\n");
        self.lines.by_ref().map(Result::unwrap).take_while(|line| line != "PONG").collect()
    }

    /// The server's refusals of these lines, in its words.
    fn refused(&mut self, text: &str) -> String {
        self.send(text);
        let lines = self.said().into_iter().filter(|line| line.starts_with("-ERR"));
        lines.flat_map(|line| [line, "\n".to_owned()]).collect()
    }
}

/// Whether a subject is a pattern, to which nothing can be published.
fn is_pattern(subject: &str) -> bool {
    subject.split('.').any(|token| ["*", ">"].contains(&token))
}

#[test]
fn each_role_publishes_and_subscribes_its_own_subjects() {
    let ground = Ground::new();
    let _server = configured(&ground, |conf| conf);
    for (who, letter) in [("player", 'p'), ("worker", 'w'), ("viewer", 'v')] {
        let mut text = String::new();
        for (number, (subject, ..)) in SUBJECTS.iter().enumerate() {
            if !is_pattern(subject) {
                text += &format!("PUB {subject} 2\r\n{{}}\r\n");
                // With a subject for answers nothing else is allowed.
                text += &format!("PUB {subject} agon.to.{who}.x 2\r\n{{}}\r\n");
            }
            text += &format!("SUB {subject} {number}\r\nSUB {subject} queue {number}00\r\n");
        }
        let refused = Plain::new(&ground, who, &password(who)).refused(&text);
        for (subject, publish, subscribe) in SUBJECTS {
            let refusals = |what: &str| {
                let what = format!("Violation for {what} \"{subject}\"");
                refused.lines().filter(|line| line.contains(&what)).count()
            };
            if !is_pattern(subject) {
                let wanted = if publish.contains(letter) { 0 } else { 2 };
                assert_eq!(refusals("Publish to"), wanted, "{who} publishes {subject}: {refused}");
            }
            let wanted = if subscribe.contains(letter) { 0 } else { 2 };
            assert_eq!(refusals("Subscription to"), wanted, "{who} subscribes {subject}: {refused}");
        }
    }
}

/// The example of an old configuration: a stream that someone else keeps on the server, which an answer of the server
/// would change.
const STREAM: &str = "AGON_JOBS";

#[test]
fn no_answer_reaches_a_subject_of_someone_else() {
    let ground = Ground::new();
    let streams = ground.path("streams");
    let _server =
        configured(&ground, |conf| format!("jetstream {{ store_dir: {streams:?} }}\n{}", with_other_users(&conf)));
    let mut series = Running::start(
        ground
            .agon(&["match", "greedy", "random", "--game", "domineering", "--games", "2"])
            .args(["--nats", &ground.url_of("player")]),
        &ground.path("series.log"),
    );
    until("the series waits", || {
        assert!(series.ended().is_none(), "{}", series.said());
        series.said().contains("no worker is there")
    });
    let mut admin = Plain::new(&ground, "admin", "admin");
    let create = serde_json::json!({ "name": STREAM, "subjects": ["agon.jobs.*"], "storage": "file" }).to_string();
    let info = format!("PUB $JS.API.STREAM.INFO.{STREAM} answers 0\r\n\r\n");
    admin
        .send(&format!("SUB answers 1\r\nPUB $JS.API.STREAM.CREATE.{STREAM} answers {}\r\n{create}\r\n", create.len()));
    admin.send("PUB agon.jobs.kept 4\r\nkept\r\n");
    let messages = |admin: &mut Plain| {
        let mut found = None;
        until("the server says what the stream has", || {
            admin.send(&info);
            let said = admin.said();
            let state = said.iter().rev().find_map(|line| line.split_once("\"state\":{\"messages\":"));
            found = state.and_then(|(_, rest)| rest.split(',').next()?.parse::<u64>().ok()).or(found);
            found.is_some()
        });
        found.unwrap()
    };
    until("the stream is there", || messages(&mut admin) == 1);
    // It matters: whoever may ask a server about streams can have its answers stored.
    admin.send(&format!("PUB $JS.API.STREAM.INFO.{STREAM} agon.jobs.forged 0\r\n\r\n"));
    until("the answer is stored", || messages(&mut admin) == 2);

    let run = {
        let options = NatsOptions { url: ground.url_of("viewer"), key: None, authority: None, ping: timing().ping };
        let watch = FleetWatch::new(&Fleet::join(&options, "test", None).unwrap(), timing().max_silence);
        let mut run = None;
        until("the run is heard of", || {
            run = watch.overview().runs.first().map(|run| run.run.clone());
            run.is_some()
        });
        run.unwrap()
    };
    // Everything that a role may publish, signed too, with every subject that it may not publish to as the one for the
    // answer.
    let mut all = Plain::new(&ground, "admin", "admin");
    all.send("SUB > 1\r\n");
    all.said();
    let key = KeyPair::new_user();
    for (who, letter) in [("worker", 'w'), ("viewer", 'v')] {
        let mut role = Plain::new(&ground, who, &password(who));
        let own: Vec<String> = SUBJECTS
            .iter()
            .filter(|(subject, publish, _)| !is_pattern(subject) && publish.contains(letter))
            .map(|(subject, ..)| {
                subject.strip_suffix(".r").map_or((*subject).to_owned(), |name| format!("{name}.{run}"))
            })
            .collect();
        let foreign: Vec<&str> = SUBJECTS
            .iter()
            .filter(|(subject, publish, _)| !is_pattern(subject) && !publish.contains(letter))
            .map(|(subject, ..)| *subject)
            .collect();
        let mut text = String::new();
        for (subject, target) in own.iter().flat_map(|subject| foreign.iter().map(move |target| (subject, target))) {
            let payload = "{\"worker\":\"w\",\"wait_ms\":0}".to_owned();
            let asks = "{\"worker\":\"w\",\"name\":\"notice\",\"offset\":0}".to_owned();
            let ends = "{\"worker\":\"w\",\"job\":\"a.0\",\"delay_ms\":0}".to_owned();
            for payload in [payload, asks, ends, String::new()] {
                let content = format!("agon fleet 3 request {subject}\n{payload}");
                let signature = agon_game::hash::hex(&key.sign(content.as_bytes()).unwrap());
                let public = key.public_key();
                let headers =
                    format!("NATS/1.0\r\nAgon-Wire: 3\r\nAgon-Key: {public}\r\nAgon-Signature: {signature}\r\n\r\n");
                let (head, bytes) = (headers.len(), headers.len() + payload.len());
                text += &format!("HPUB {subject} {target} {head} {bytes}\r\n{headers}{payload}\r\n");
            }
        }
        // Among the subjects for answers, the server knows one kind by itself.
        let refused = role.refused(&text);
        assert!(refused.lines().all(|line| line.contains("with Reply of \"$JS.ACK.")), "{who}: {refused}");
    }
    // The coordinator has read all that when it answers what came later.
    let mut worker = Plain::new(&ground, "worker", &password("worker"));
    let options = NatsOptions { url: ground.url_of("worker"), key: None, authority: None, ping: timing().ping };
    let mine = Fleet::join(&options, "test", None).unwrap();
    let Taken::Job(lease) = RunJobs::new(&mine, &run, "one", 2, &timing()).take(TIMEOUT) else { panic!("no job") };
    drop(lease);
    worker.said();
    for line in all.said() {
        let mut words = line.split(' ');
        let subject = match words.next() {
            Some("MSG" | "HMSG") => words.next().unwrap(),
            _ => continue,
        };
        // What was published above, the series' own messages, and answers to those who had asked.
        let is_own = ["agon.ask", "answers"].contains(&subject) || subject == format!("agon.run.{run}");
        let answer =
            ["agon.to.worker.", "agon.to.viewer.", "agon.to.player."].iter().any(|own| subject.starts_with(own));
        assert!(is_own || answer || subject.starts_with("agon.by.worker."), "{line}");
    }
    assert_eq!(messages(&mut admin), 2, "nothing is stored, and nothing deleted");
}

#[test]
fn only_who_was_given_a_job_gives_it_back() {
    let ground = Ground::new();
    let _server = configured(&ground, |conf| with_other_users(&conf));
    let mut series = Running::start(
        ground
            .agon(&["match", "greedy", "random", "--game", "domineering", "--games", "2"])
            .args(["--nats", &ground.url_of("player")]),
        &ground.path("series.log"),
    );
    until("the series waits", || {
        assert!(series.ended().is_none(), "{}", series.said());
        series.said().contains("no worker is there")
    });
    let connect = |who: &str, password: &str| {
        let url = ground.url().replace("nats://", &format!("nats://{who}:{password}@"));
        NatsOptions { url, key: None, authority: None, ping: timing().ping }
    };
    let [mine, theirs] = [connect("worker", &password("worker")), connect("other", "other")]
        .map(|options| Fleet::join(&options, "test", None).unwrap());
    let player = Fleet::join(&connect("player", &password("player")), "test", None).unwrap();
    let watch = FleetWatch::new(&player, timing().max_silence);
    let mut run = None;
    until("the run is heard of", || {
        run = watch.overview().runs.first().map(|run| run.run.clone());
        run.is_some()
    });
    let run = run.unwrap();
    let mut jobs = RunJobs::new(&mine, &run, "one", 2, &timing());
    let Taken::Job(lease) = jobs.take(TIMEOUT) else { panic!("no job") };
    // Another worker tries to have it handed out again, as itself and as the holder.
    let mut other = Plain::new(&ground, "other", "other");
    let end = |user: &str| {
        let payload = "{\"worker\":\"one\",\"job\":\"a.0\",\"delay_ms\":0}";
        format!("PUB agon.by.{user}.end.{run} {}\r\n{payload}\r\n", payload.len())
    };
    assert_eq!(other.refused(&end("other")), "");
    assert!(other.refused(&end("worker")).contains("Permissions Violation for Publish"));
    let mut others = RunJobs::new(&theirs, &run, "one", 2, &timing());
    assert!(matches!(others.take(Duration::ZERO), Taken::Nothing), "it is held");
    // The holder returns it, and the other one takes it.
    lease.put_back(Duration::ZERO, None);
    let Taken::Job(lease) = others.take(TIMEOUT) else { panic!("no job") };
    assert_eq!(lease.deliveries(), 2);
}

/// The output of `agon fleet` with these arguments, and its exit code.
fn fleet(ground: &Ground, arguments: &[&str]) -> (i32, String) {
    let log = ground.path("look.log");
    let _ = fs::remove_file(&log);
    let mut looking = Running::start(ground.agon(&["fleet", "--format", "json"]).args(arguments), &log);
    (looking.wait(), looking.said())
}

/// Checks that it is refused in one line with the remedy.
#[track_caller]
fn wrong(message: &(i32, String), remedy: &str) {
    assert_eq!((message.0, message.1.lines().count()), (2, 1), "{}", message.1);
    assert!(message.1.contains(remedy), "{}", message.1);
}

#[test]
fn a_key_is_known_by_its_public_half() {
    let ground = Ground::new();
    let (known, other) = (KeyPair::new_user(), KeyPair::new_user());
    let example = "        # { nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4, permissions: { … } }";
    let _server = configured(&ground, |conf| {
        assert!(conf.contains(example), "{conf}");
        conf.replace(example, &format!("        {{ nkey: {} }}", known.public_key()))
    });
    let path = |name: &str| ground.path(name).to_str().unwrap().to_owned();
    fs::write(ground.path("known.nk"), format!("# of the desk\n{}\n", known.seed().unwrap())).unwrap();
    fs::write(ground.path("other.nk"), other.seed().unwrap()).unwrap();
    fs::write(ground.path("empty.nk"), "").unwrap();
    let url = ground.url();
    let message = fleet(&ground, &["--nats", &url, "--nats-key", &path("known.nk")]);
    assert_eq!(message.0, 0, "{}", message.1);
    let remedy = "refuses these credentials; give the file of the NKey with --nats-key";
    wrong(&fleet(&ground, &["--nats", &url]), remedy);
    wrong(&fleet(&ground, &["--nats", &url, "--nats-key", &path("other.nk")]), remedy);
    wrong(&fleet(&ground, &["--nats", &url, "--nats-key", &path("no.nk")]), "cannot read");
    wrong(&fleet(&ground, &["--nats", &url, "--nats-key", &path("empty.nk")]), "contains no seed of a user's NKey");
    let user = ground.url_of("viewer");
    wrong(&fleet(&ground, &["--nats", &user.replace("secret", "guess")]), remedy);
}

#[test]
fn a_certificate_of_an_own_authority_is_trusted_where_it_is_named() {
    let ground = Ground::new();
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = || rcgen::KeyPair::generate().unwrap();
    let authority = CertifiedIssuer::self_signed(authority, key()).unwrap();
    let own = key();
    let certificate =
        CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap().signed_by(&own, &authority).unwrap();
    let path = |name: &str| ground.path(name).to_str().unwrap().to_owned();
    fs::write(ground.path("ca.pem"), authority.pem()).unwrap();
    fs::write(ground.path("cert.pem"), certificate.pem()).unwrap();
    fs::write(ground.path("key.pem"), own.serialize_pem()).unwrap();
    let _server = configured(&ground, |conf| {
        let tls =
            "# tls {\n#     cert_file: \"/etc/agon/nats-cert.pem\"\n#     key_file: \"/etc/agon/nats-key.pem\"\n# }\n";
        assert!(conf.contains(tls), "{conf}");
        let with = tls.replace("# ", "").replace('#', "");
        let with = with.replace("/etc/agon/nats-cert.pem", &path("cert.pem"));
        conf.replace(tls, &with.replace("/etc/agon/nats-key.pem", &path("key.pem")))
    });
    let url = ground.url_of("player").replace("nats://", "tls://");
    let message = fleet(&ground, &["--nats", &url, "--nats-ca", &path("ca.pem")]);
    assert_eq!(message.0, 0, "{}", message.1);
    let remedy = "give the certificate of its authority with --nats-ca";
    wrong(&fleet(&ground, &["--nats", &url]), remedy);
    fs::write(ground.path("other.pem"), rcgen::generate_simple_self_signed(vec!["a".to_owned()]).unwrap().cert.pem())
        .unwrap();
    wrong(&fleet(&ground, &["--nats", &url, "--nats-ca", &path("other.pem")]), remedy);
    wrong(&fleet(&ground, &["--nats", &url, "--nats-ca", &path("no.pem")]), "cannot read");
    fs::write(ground.path("empty.pem"), "").unwrap();
    wrong(&fleet(&ground, &["--nats", &url, "--nats-ca", &path("empty.pem")]), remedy);
}
