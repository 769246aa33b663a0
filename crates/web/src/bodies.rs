//! The bodies of requests while they arrive, and large answers while they are sent: a body comes at a rate or is cut
//! off, and all together have a size.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use agon_boards::limits::{Full, LimitedActor, Place, held};
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep};

use crate::auth::address;
use crate::error::{Scarce, SiteError};
use crate::limits::{BODY_GRACE, MIN_BODY_RATE, MIN_LARGE_ANSWER_BYTES};
use crate::site::Site;

/// How many bytes of a large answer are sent at once.
const PART_BYTES: usize = 64 << 10;

/// Why a body was cut off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
enum BodyFault {
    #[error("the body arrives too slowly")]
    Slow,
    #[error("too many bodies arrive at once")]
    Full(Full),
}

/// What a body and its request share.
struct BodyState {
    /// As many bytes as have arrived, until the request is answered.
    place: Mutex<Place>,
    fault: OnceLock<BodyFault>,
}

/// A body that is measured while it arrives.
struct MeteredBody {
    inner: Body,
    state: Arc<BodyState>,
    begun: Instant,
    received: u64,
    /// When more must have arrived.
    due: Pin<Box<Sleep>>,
}

impl MeteredBody {
    fn new(inner: Body, state: Arc<BodyState>) -> Self {
        let begun = Instant::now();
        Self { inner, state, begun, received: 0, due: Box::pin(tokio::time::sleep_until(begun + BODY_GRACE)) }
    }

    fn arrived(&mut self, bytes: usize) -> Result<(), BodyFault> {
        let grown = self.state.place.lock().unwrap_or_else(PoisonError::into_inner).grow(bytes);
        grown.map_err(BodyFault::Full)?;
        self.received += bytes as u64;
        let earned = Duration::from_millis(self.received * 1000 / MIN_BODY_RATE);
        self.due.as_mut().reset(self.begun + BODY_GRACE + earned);
        Ok(())
    }

    fn fail(&self, fault: BodyFault) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let _ = self.state.fault.set(fault);
        Poll::Ready(Some(Err(axum::Error::new(fault))))
    }
}

impl HttpBody for MeteredBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        if this.state.fault.get().is_none() && this.due.as_mut().poll(context).is_ready() {
            return this.fail(BodyFault::Slow);
        }
        let frame = ready!(Pin::new(&mut this.inner).poll_frame(context));
        if let Some(Ok(frame)) = &frame
            && let Some(data) = frame.data_ref()
            && let Err(fault) = this.arrived(data.len())
        {
            return this.fail(fault);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Measures the body of a request.
pub(crate) async fn metered(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let actor = LimitedActor::at(address(&parts, site.options.behind_proxy));
    let place = match site.traffic.bodies.take(actor, 0) {
        Ok(place) => Mutex::new(place),
        Err(full) => return refusal(BodyFault::Full(full)).into_response(),
    };
    let state = Arc::new(BodyState { place, fault: OnceLock::new() });
    let body = Body::new(MeteredBody::new(body, Arc::clone(&state)));
    let response = next.run(Request::from_parts(parts, body)).await;
    match state.fault.get() {
        Some(fault) => refusal(*fault).into_response(),
        None => response,
    }
}

/// Counts a large answer while it is sent: a client that reads slowly keeps it in memory. It goes out in parts, so that
/// the connection takes the next one only when it has room.
pub(crate) async fn counted(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let actor = LimitedActor::at(address(&parts, site.options.behind_proxy));
    let response = next.run(Request::from_parts(parts, body)).await;
    // Streams and files that are sent in parts have no size here.
    let size = response.body().size_hint().exact().and_then(|size| usize::try_from(size).ok());
    let Some(size) = size.filter(|size| *size >= MIN_LARGE_ANSWER_BYTES) else { return response };
    let place = match site.traffic.answers.take(actor, size) {
        Ok(place) => place,
        Err(full) => return SiteError::full(full, Scarce::LargeAnswers).into_response(),
    };
    let (mut head, body) = response.into_parts();
    let whole = match to_bytes(body, size).await {
        Ok(whole) => whole,
        Err(error) => return SiteError::internal(error).into_response(),
    };
    head.headers.insert(header::CONTENT_LENGTH, size.into());
    let body = Body::from_stream(stream::iter(in_parts(whole).map(Ok::<_, Infallible>)));
    held(Response::from_parts(head, body), vec![place])
}

/// Splits an answer into parts. Compression polls again after the end, so the end stays the end.
fn in_parts(whole: Bytes) -> impl Iterator<Item = Bytes> {
    let mut rest = whole;
    std::iter::from_fn(move || (!rest.is_empty()).then(|| rest.split_to(rest.len().min(PART_BYTES)))).fuse()
}

fn refusal(fault: BodyFault) -> SiteError {
    match fault {
        BodyFault::Slow => SiteError::SlowBody,
        BodyFault::Full(full) => SiteError::full(full, Scarce::Bodies),
    }
}

#[cfg(test)]
mod tests {
    use agon_boards::limits::{Bound, Places};
    use http_body_util::BodyExt as _;
    use tokio::sync::mpsc;
    use tokio_stream::wrappers::ReceiverStream;

    use super::*;

    /// A body that arrives while it is sent, and what its request knows.
    fn arriving(places: &Places) -> (mpsc::Sender<Result<Bytes, std::io::Error>>, MeteredBody, Arc<BodyState>) {
        let (sender, receiver) = mpsc::channel(8);
        let place = Mutex::new(places.take(LimitedActor::Account(1), 0).unwrap());
        let state = Arc::new(BodyState { place, fault: OnceLock::new() });
        let body = MeteredBody::new(Body::from_stream(ReceiverStream::new(receiver)), Arc::clone(&state));
        (sender, body, state)
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stalls_is_cut_off_and_a_slow_one_is_not() {
        let places = Places::new(Bound { each: 1 << 20, all: 1 << 20 });
        let (sender, body, state) = arriving(&places);
        let second = vec![0; MIN_BODY_RATE as usize];
        let sending = tokio::spawn(async move {
            for _ in 0..20 {
                sender.send(Ok(Bytes::from(second.clone()))).await.unwrap();
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
        let whole = body.collect().await.unwrap().to_bytes();
        sending.await.unwrap();
        assert_eq!((whole.len() as u64, state.fault.get()), (20 * MIN_BODY_RATE, None), "as slow as it may be");
        assert_eq!(places.count() as u64, 20 * MIN_BODY_RATE, "counted until the request is answered");
        drop(state);
        assert_eq!(places.count(), 0);
        let (sender, body, state) = arriving(&places);
        sender.send(Ok(Bytes::from_static(b"and then nothing"))).await.unwrap();
        let begun = Instant::now();
        assert!(body.collect().await.is_err());
        assert_eq!(state.fault.get(), Some(&BodyFault::Slow));
        let waited = begun.elapsed();
        assert!(waited >= BODY_GRACE && waited < BODY_GRACE + Duration::from_secs(2), "{waited:?}");
        drop(sender);
    }

    #[tokio::test]
    async fn all_bodies_together_have_a_size() {
        let places = Places::new(Bound { each: 100, all: 150 });
        let (sender, body, state) = arriving(&places);
        sender.send(Ok(Bytes::from(vec![0; 101]))).await.unwrap();
        drop(sender);
        assert!(body.collect().await.is_err());
        assert_eq!(state.fault.get(), Some(&BodyFault::Full(Full::Own)));
        let other = places.take(LimitedActor::Account(2), 90).unwrap();
        let (sender, body, state) = arriving(&places);
        sender.send(Ok(Bytes::from(vec![0; 90]))).await.unwrap();
        drop(sender);
        assert!(body.collect().await.is_err());
        assert_eq!(state.fault.get(), Some(&BodyFault::Full(Full::All)));
        drop(other);
    }
}
