//! The queue of games over many machines, by a real server on loopback.

mod audits;
mod contract;
mod hostile;
mod runs;
mod server;
mod site;

/// Ends what threads of a test wait for, also where it fails: they would go on, and hide the failure for ever.
struct Ends<F: Fn()>(F);

impl<F: Fn()> Drop for Ends<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
