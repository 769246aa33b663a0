//! Whom a limit is for.

use std::net::IpAddr;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LimitedActor {
    /// Whoever sends from this address; for IPv6 from its network of 64 bits, which belongs to one customer.
    Address(IpAddr),
    /// All addresses of a network together: /24, of version 6 /48.
    Network(IpAddr),
    Account(i64),
}

impl LimitedActor {
    /// The actor of an address.
    pub fn at(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(six) => IpAddr::V6((u128::from(six) & !u128::from(u64::MAX)).into()),
            four @ IpAddr::V4(_) => four,
        })
    }

    /// The actor of the network of an address.
    pub fn network_of(address: IpAddr) -> Self {
        Self::Network(match address.to_canonical() {
            IpAddr::V6(six) => IpAddr::V6((u128::from(six) & (u128::MAX << 80)).into()),
            IpAddr::V4(four) => IpAddr::V4((u32::from(four) & (u32::MAX << 8)).into()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_customer_is_one_actor() {
        let at = |text: &str| LimitedActor::at(text.parse().unwrap());
        assert_eq!(at("2001:db8:1:2::1"), at("2001:db8:1:2:ffff::9"));
        assert_ne!(at("2001:db8:1:2::1"), at("2001:db8:1:3::1"));
        assert_eq!(at("::ffff:192.0.2.1"), at("192.0.2.1"));
        assert_ne!(at("192.0.2.1"), at("192.0.2.2"));
        let network = |text: &str| LimitedActor::network_of(text.parse().unwrap());
        assert_eq!(network("192.0.2.1"), network("::ffff:192.0.2.255"));
        assert_ne!(network("192.0.2.1"), network("192.0.3.1"));
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:2:2::1"));
    }
}
