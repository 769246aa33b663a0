//! A network that swallows everything for a while, as behind a firewall that drops packets, and heals.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use agon_fleet::{Fleet, FleetWatch, NatsOptions};

use crate::fleet::killed::{ENDLESS, play_to_an_end, series_of};
use crate::fleet::processes::{Ground, timing, until};

/// Stands between a worker and the server.
struct Network {
    port: u16,
    broken: Arc<AtomicBool>,
}

impl Network {
    fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let broken = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&broken);
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                let Ok(far) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                let ways = [(near.try_clone().unwrap(), far.try_clone().unwrap()), (far, near)];
                for (from, to) in ways {
                    let broken = Arc::clone(&seen);
                    thread::spawn(move || pass(&from, &to, &broken));
                }
            }
        });
        Self { port, broken }
    }

    fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }
}

/// Passes data on; while the network is broken, data is lost, and the connection never recovers.
fn pass(mut from: &TcpStream, mut to: &TcpStream, broken: &AtomicBool) {
    let (mut buffer, mut lost) = ([0; 1 << 14], false);
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        lost |= broken.load(Ordering::SeqCst);
        if !lost && to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// Number of games that a worker has played, as far as is heard of it.
fn played(watch: &FleetWatch, name: &str) -> Option<u64> {
    watch.overview().workers.iter().find(|worker| worker.worker == name).map(|worker| worker.played)
}

#[test]
fn a_partition_heals() {
    let ground = Ground::new();
    let _server = ground.server(&[]);
    let network = Network::to(ground.port());
    let behind = format!("nats://127.0.0.1:{}", network.port);
    let options = NatsOptions { url: ground.url(), key: None, authority: None, ping: timing().ping };
    let watch = FleetWatch::new(&Fleet::join(&options, "test", None).unwrap(), timing().max_silence);
    let mut cut_off = ground.worker_at(&behind, "far", &[]);
    let words = series_of(ENDLESS);
    let mut series = ground.series(&words.iter().map(String::as_str).collect::<Vec<_>>(), "fleet.db");
    until("it plays", || played(&watch, "far") > Some(0));
    network.set_broken(true);
    // It is silent for longer than a lease lasts: another worker plays it.
    let mut other = ground.worker("near", &[]);
    until("the first one is taken to be gone", || played(&watch, "far").is_none());
    until("the other one plays", || played(&watch, "near") > Some(0));
    network.set_broken(false);
    let mut before = None;
    until("it has come back, and plays", || {
        assert!(series.ended().is_none(), "{}", series.said());
        let now = played(&watch, "far");
        before = before.or(now);
        now > before
    });
    series.kill();
    assert!(play_to_an_end(&ground, "fleet.db") > 0);
    // It alone plays the next series.
    other.terminate();
    assert_eq!(other.wait(), 0, "{}", other.said());
    let short = ["match", "greedy", "random", "--game", "domineering", "--games", "20"];
    let mut series = ground.series(&short, "healed.db");
    assert_eq!(series.wait(), 0, "{} {}", series.said(), cut_off.said());
    cut_off.terminate();
    assert_eq!(cut_off.wait(), 0, "{}", cut_off.said());
}
