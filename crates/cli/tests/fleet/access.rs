//! Who may do what at a server with `deploy/nats.conf`, and how it is known who asks: user and password, token,
//! `NKey`, TLS.

use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa};

use crate::processes::{Ground, Running, password};

/// The configuration of `deploy/` for a server of a test: with these lines more, and its files in the test's folder.
fn configured(ground: &Ground, change: impl Fn(String) -> String) -> Running {
    let conf = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/nats.conf")).unwrap();
    let place = "    store_dir: \"/var/lib/nats\"\n";
    assert!(conf.contains(place), "{conf}");
    fs::write(ground.path("nats.conf"), change(conf.replace(place, ""))).unwrap();
    ground.server(&["-c", ground.path("nats.conf").to_str().unwrap()])
}

/// What a server refuses of these messages and subscriptions of a user, in its words.
fn refused(ground: &Ground, who: &str, publish: &[&str], subscribe: &[&str]) -> Vec<String> {
    let stream = TcpStream::connect(("127.0.0.1", ground.port())).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("INFO "));
    let connect = serde_json::json!({ "verbose": false, "pedantic": false, "user": who, "pass": password(who) });
    let mut text = format!("CONNECT {connect}\r\n");
    for subject in publish {
        text += &format!("PUB {subject} _INBOX.test 2\r\n{{}}\r\n");
    }
    for (number, subject) in subscribe.iter().enumerate() {
        text += &format!("SUB {subject} {number}\r\n");
    }
    (&stream).write_all(format!("{text}PING\r\n").as_bytes()).unwrap();
    let message = lines.take_while(|line| line != "PONG");
    message.filter(|line| line.starts_with("-ERR")).map(|line| line.to_ascii_lowercase()).collect()
}

#[test]
fn a_worker_hands_out_nothing_and_a_viewer_only_looks() {
    let ground = Ground::new();
    let _server = configured(&ground, |conf| conf);
    let check = |who: &str, publish: &[&str], subscribe: &[&str], allowed: bool| {
        for subject in publish {
            let message = refused(&ground, who, &[subject], &[]);
            assert_eq!(message.is_empty(), allowed, "{who} publishes {subject}: {message:?}");
            assert!(allowed || message[0].contains("permissions violation for publish"), "{message:?}");
        }
        for subject in subscribe {
            let message = refused(&ground, who, &[], &[subject]);
            assert_eq!(message.is_empty(), allowed, "{who} subscribes {subject}: {message:?}");
            assert!(allowed || message[0].contains("permissions violation for subscription"), "{message:?}");
        }
    };
    let work =
        ["agon.results.r", "agon.began.r", "agon.move.r", "agon.worker.w", "$JS.API.CONSUMER.MSG.NEXT.AGON_JOBS.r"];
    check("worker", &work, &["agon.run.*", "agon.drain.w"], true);
    // Jobs, orders, what becomes of results, and streams are not its business.
    let others = [
        "agon.jobs.r",
        "agon.dead.r",
        "agon.run.r",
        "agon.drain.other",
        "$JS.API.STREAM.MSG.GET.AGON_RESULTS",
        "$JS.API.STREAM.MSG.GET.AGON_JOBS",
        "$JS.API.CONSUMER.MSG.NEXT.AGON_RESULTS.r",
        "$JS.API.CONSUMER.CREATE.AGON_RESULTS",
        "$JS.API.CONSUMER.DURABLE.CREATE.AGON_JOBS.r",
        "$JS.ACK.AGON_RESULTS.r.1.1.1.1.1",
        "$JS.API.STREAM.PURGE.AGON_RESULTS",
        "$JS.API.STREAM.DELETE.AGON_JOBS",
        "$JS.API.STREAM.CREATE.MINE",
    ];
    check("worker", &others, &["agon.results.*", "agon.jobs.*", "agon.began.*", "agon.move.*", ">"], false);
    check("viewer", &["agon.ask", "$JS.API.STREAM.INFO.AGON_JOBS"], &["agon.run.*", "agon.worker.*"], true);
    check("viewer", &others, &["agon.results.*", "agon.jobs.*", "agon.move.*", ">"], false);
    check("viewer", &work, &[], false);
    check("player", &["agon.jobs.r", "agon.drain.w", "$JS.API.STREAM.INFO.AGON_JOBS"], &["agon.results.*"], true);
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
    let example = "        # { nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4, permissions: $WORKER }";
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
