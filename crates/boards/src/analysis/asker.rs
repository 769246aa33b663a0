//! Who requests a search.

use std::net::{IpAddr, Ipv4Addr};

use axum::Extension;

use super::service::Searcher;

/// The origin of a request, if known; otherwise all requests count as one visitor's.
#[derive(Clone, Copy, Debug)]
pub struct SearcherAddress(pub IpAddr);

pub(super) fn searcher(address: Option<Extension<SearcherAddress>>, client: &str) -> Searcher {
    let address = address.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |Extension(SearcherAddress(address))| address);
    Searcher { address, client: client.to_owned() }
}
