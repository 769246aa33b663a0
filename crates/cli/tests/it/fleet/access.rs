//! Who may do what at a server with `deploy/nats.conf`, and how it is known who asks: user and password, token,
//! `NKey`, TLS.

use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::runner::queue::{Take as _, Taken};
use agon_fleet::{Fleet, FleetWatch, NatsOptions, RunJobs};
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa};

use crate::fleet::processes::{Ground, Running, TIMEOUT, password};

/// The configuration of `deploy/` for a server of a test: with these lines more, and its files in the test's folder.
fn configured(ground: &Ground, change: impl Fn(String) -> String) -> Running {
    let conf = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/nats.conf")).unwrap();
    let place = "    store_dir: \"/var/lib/nats\"\n";
    assert!(conf.contains(place), "{conf}");
    fs::write(ground.path("nats.conf"), change(conf.replace(place, ""))).unwrap();
    ground.server(&["-c", ground.path("nats.conf").to_str().unwrap()])
}

/// The subjects of a fleet, with who may publish to each and who may subscribe: `p`layers, `w`orkers and `v`iewers.
/// `worker` is the user of the workers; `other` is another one.
const SUBJECTS: [(&str, &str, &str); 65] = [
    ("agon.jobs.r", "p", ""),
    ("agon.dead.r", "p", ""),
    ("agon.run.r", "p", "pwv"),
    ("agon.run.*", "", "pwv"),
    ("agon.drain.w", "p", "w"),
    ("agon.ask", "pwv", "pw"),
    ("agon.by.worker.results.r", "w", ""),
    ("agon.by.worker.record.t.0", "w", ""),
    ("agon.by.worker.began.r", "w", "p"),
    ("agon.by.worker.move.r", "w", "p"),
    ("agon.by.worker.status.n", "w", "pv"),
    ("agon.by.other.results.r", "", ""),
    ("agon.by.other.record.t.0", "", ""),
    ("agon.by.other.began.r", "", "p"),
    ("agon.by.other.move.r", "", "p"),
    ("agon.by.other.status.n", "", "pv"),
    ("agon.by.player.results.r", "", ""),
    ("agon.by.*.results.r", "", ""),
    ("agon.by.*.status.*", "", "pv"),
    ("agon.by.>", "", ""),
    // Those of agon 0.2; players look for its workers, to say that they are too old.
    ("agon.results.r", "", ""),
    ("agon.began.r", "", ""),
    ("agon.move.r", "", ""),
    ("agon.worker.n", "", "p"),
    ("agon.>", "", ""),
    (">", "", ""),
    // Programs and notices of runs.
    ("$O.agon.M.x", "p", ""),
    ("$O.agon.C.x", "p", ""),
    ("$O.agon.>", "", ""),
    ("$O.other.M.x", "", ""),
    ("$JS.API.DIRECT.GET.OBJ_agon", "pw", ""),
    ("$JS.API.DIRECT.GET.OBJ_agon.$O.agon.M.x", "pw", ""),
    ("$JS.API.STREAM.INFO.OBJ_agon", "pw", ""),
    ("$JS.API.STREAM.MSG.GET.OBJ_agon", "p", ""),
    ("$JS.API.STREAM.MSG.DELETE.OBJ_agon", "p", ""),
    ("$JS.API.STREAM.PURGE.OBJ_agon", "p", ""),
    ("$JS.API.CONSUMER.CREATE.OBJ_agon", "p", ""),
    ("$JS.API.CONSUMER.CREATE.OBJ_agon.x.$O.agon.>", "p", ""),
    // Jobs, results and long records.
    ("$JS.API.CONSUMER.MSG.NEXT.AGON_JOBS.r", "pw", ""),
    ("$JS.API.CONSUMER.INFO.AGON_JOBS.r", "pw", ""),
    ("$JS.API.CONSUMER.CREATE.AGON_JOBS", "p", ""),
    ("$JS.API.CONSUMER.DURABLE.CREATE.AGON_JOBS.r", "p", ""),
    ("$JS.API.CONSUMER.DELETE.AGON_JOBS.r", "p", ""),
    ("$JS.API.STREAM.INFO.AGON_JOBS", "p", ""),
    ("$JS.API.STREAM.MSG.GET.AGON_JOBS", "p", ""),
    ("$JS.API.STREAM.MSG.DELETE.AGON_JOBS", "p", ""),
    ("$JS.ACK.AGON_JOBS.r.1.1.1.1.1", "p", ""),
    ("$JS.API.CONSUMER.MSG.NEXT.AGON_RESULTS.r", "p", ""),
    ("$JS.API.CONSUMER.CREATE.AGON_RESULTS", "p", ""),
    ("$JS.API.STREAM.INFO.AGON_RESULTS", "p", ""),
    ("$JS.API.STREAM.MSG.GET.AGON_RESULTS", "p", ""),
    ("$JS.ACK.AGON_RESULTS.r.1.1.1.1.1", "p", ""),
    ("$JS.API.STREAM.INFO.AGON_RECORDS", "p", ""),
    ("$JS.API.STREAM.MSG.GET.AGON_RECORDS", "p", ""),
    ("$JS.API.DIRECT.GET.AGON_RECORDS", "p", ""),
    ("$JS.API.STREAM.INFO.AGON_DEAD", "pv", ""),
    ("$JS.API.STREAM.MSG.GET.AGON_DEAD", "pv", ""),
    ("$JS.API.STREAM.CREATE.MINE", "p", ""),
    // Who reads the answers to others reads their jobs and programs.
    ("_INBOX.x", "", ""),
    ("_INBOX.>", "", ""),
    ("_INBOX_player.x", "", "p"),
    ("_INBOX_worker.x", "", "w"),
    ("_INBOX_viewer.x", "", "v"),
    ("_INBOX_other.x", "", ""),
    ("$SYS.>", "", ""),
];

/// What a server refuses of all that a user publishes and subscribes, in its words.
fn refused(ground: &Ground, who: &str) -> String {
    let stream = TcpStream::connect(("127.0.0.1", ground.port())).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("INFO "));
    let connect = serde_json::json!({ "verbose": false, "pedantic": false, "user": who, "pass": password(who) });
    let mut text = format!("CONNECT {connect}\r\n");
    for (number, (subject, ..)) in SUBJECTS.iter().enumerate() {
        // One with a wildcard is no subject to publish to.
        if !subject.contains(['*', '>']) {
            text += &format!("PUB {subject} 2\r\n{{}}\r\n");
        }
        text += &format!("SUB {subject} {number}\r\n");
    }
    (&stream).write_all(format!("{text}PING\r\n").as_bytes()).unwrap();
    let errors = lines.take_while(|line| line != "PONG").filter(|line| line.starts_with("-ERR"));
    errors.map(|line| line + "\n").collect()
}

#[test]
fn each_role_publishes_and_subscribes_its_own_subjects() {
    let ground = Ground::new();
    let _server = configured(&ground, |conf| conf);
    for (who, letter) in [("player", 'p'), ("worker", 'w'), ("viewer", 'v')] {
        let refused = refused(&ground, who);
        for (subject, publish, subscribe) in SUBJECTS {
            let may_publish = !refused.contains(&format!("Violation for Publish to \"{subject}\""));
            let may_subscribe = !refused.contains(&format!("Violation for Subscription to \"{subject}\""));
            if !subject.contains(['*', '>']) {
                assert_eq!(may_publish, publish.contains(letter), "{who} publishes {subject}: {refused}");
            }
            assert_eq!(may_subscribe, subscribe.contains(letter), "{who} subscribes {subject}: {refused}");
        }
    }
}

#[test]
fn only_who_was_given_a_job_acknowledges_it() {
    let ground = Ground::new();
    let _server = configured(&ground, |conf| {
        // Another owner of machines, as the comment says.
        let (at, end) = (conf.find("            user: worker").unwrap(), conf.find("        # An NKey needs").unwrap());
        let block = conf[at..end].replace(".worker.", ".other.").replace("_INBOX_worker", "_INBOX_other");
        let block = block.replace("user: worker", "user: other").replace("$AGON_WORKER_PASSWORD", "other");
        conf.replace("        # An NKey needs", &format!("        {{\n{block}        # An NKey needs"))
    });
    let mut series = Running::start(
        ground
            .agon(&["match", "greedy", "random", "--game", "domineering", "--games", "2"])
            .args(["--nats", &ground.url_of("player")]),
        &ground.path("series.log"),
    );
    let start = Instant::now();
    while !series.said().contains("no worker is there") {
        assert!(series.ended().is_none() && start.elapsed() < TIMEOUT, "{}", series.said());
        thread::sleep(Duration::from_millis(50));
    }
    let connect = |who: &str, password: &str| {
        let url = ground.url().replace("nats://", &format!("nats://{who}:{password}@"));
        NatsOptions { url, key: None, authority: None }
    };
    let [mine, theirs] = [connect("worker", &password("worker")), connect("other", "other")]
        .map(|options| Fleet::join(&options, "test", None).unwrap());
    let watch = FleetWatch::new(&Fleet::join(&connect("player", &password("player")), "test", None).unwrap());
    let run = loop {
        if let Some(run) = watch.overview().runs.first() {
            break run.run.clone();
        }
        assert!(start.elapsed() < TIMEOUT);
        thread::sleep(Duration::from_millis(50));
    };
    let ack_wait = Duration::from_secs(15);
    let mut jobs = RunJobs::new(&mine, &run, "one", 2, ack_wait);
    let Taken::Job(lease) = jobs.take(Duration::from_secs(5)) else { panic!("no job") };
    // Another one guesses the subject, and has it handed out to no one again.
    let stream = TcpStream::connect(("127.0.0.1", ground.port())).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut text = String::from("CONNECT {\"verbose\":false,\"user\":\"other\",\"pass\":\"other\"}\r\n");
    for sequence in 1..4 {
        text += &format!("PUB $JS.ACK.AGON_JOBS.{run}.1.{sequence}.{sequence}.1.0 5\r\n+TERM\r\n");
    }
    (&stream).write_all((text + "PING\r\n").as_bytes()).unwrap();
    let lines = BufReader::new(&stream).lines().map(Result::unwrap).take_while(|line| line != "PONG");
    assert_eq!(lines.filter(|line| line.contains("Permissions Violation for Publish")).count(), 3);
    // The one who holds it gives it back, and the other one takes it.
    lease.put_back(Duration::ZERO, None);
    let mut jobs = RunJobs::new(&theirs, &run, "one", 2, ack_wait);
    let Taken::Job(lease) = jobs.take(Duration::from_secs(5)) else { panic!("no job") };
    assert_eq!(lease.deliveries(), 2);
}

/// What `agon fleet` says with these arguments, and its exit code.
fn fleet(ground: &Ground, arguments: &[&str]) -> (i32, String) {
    let log = ground.path("look.log");
    let _ = fs::remove_file(&log);
    let mut looking = Running::start(ground.agon(&["fleet", "--format", "json"]).args(arguments), &log);
    (looking.wait(), looking.said())
}

/// That it is refused in one line with the remedy.
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
    // The streams are made by a player.
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
