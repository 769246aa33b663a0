//! A network that swallows everything for a while, as behind a firewall that drops packets, and heals.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::fleet::killed::games;
use crate::fleet::processes::{Ground, Running};

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

/// Passes on what comes; while the network is broken it goes nowhere, and its connection is never the same again.
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

#[test]
fn a_partition_heals() {
    const SERIES: [&str; 7] = ["match", "greedy", "random", "--game", "bacteria", "--games", "6000"];
    let ground = Ground::new();
    let _server = ground.server(&["-js"]);
    let network = Network::to(ground.port());
    let behind = format!("nats://127.0.0.1:{}", network.port);
    let mut cut_off = ground.worker_at(&behind, "far", &[]);
    let mut series = ground.series(&SERIES, "fleet.db");
    thread::sleep(Duration::from_secs(2));
    network.set_broken(true);
    // Longer than a job is waited for: another worker plays it.
    let mut other = ground.worker("near", &[]);
    thread::sleep(Duration::from_secs(3));
    network.set_broken(false);
    assert_eq!(series.wait(), 0, "{} {}", series.said(), cut_off.said());
    let mut alone = Running::start(ground.agon(&SERIES).args(["--db", "alone.db"]), &ground.path("alone.log"));
    assert_eq!(alone.wait(), 0, "{}", alone.said());
    assert!(games(&ground.path("fleet.db")) == games(&ground.path("alone.db")), "other games were played");
    // It has come back: the next series is played by it alone.
    other.terminate();
    assert_eq!(other.wait(), 0, "{}", other.said());
    let short = ["match", "greedy", "random", "--game", "domineering", "--games", "20"];
    let mut series = ground.series(&short, "healed.db");
    assert_eq!(series.wait(), 0, "{} {}", series.said(), cut_off.said());
    cut_off.terminate();
    assert_eq!(cut_off.wait(), 0, "{}", cut_off.said());
}
