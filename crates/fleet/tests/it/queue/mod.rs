//! The queue of games over many machines, by a real server on loopback.

mod audits;
mod contract;
mod hostile;
mod runs;
mod server;
mod site;

/// Ends what a test's threads wait for, even if the test fails: they would continue, and hide the failure forever.
struct Ends<F: Fn()>(F);

impl<F: Fn()> Drop for Ends<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
