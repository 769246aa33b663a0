//! Forms that count once: each contains a word, so that a form that arrives again with the same content, for example
//! after a double click, gets the same answer as the first time. With other content it is another form.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::Arc;

use agon_site::secret;
use maud::{Markup, html};
use tokio::sync::Mutex;

use crate::error::SiteError;

/// The field of the word.
pub(crate) const FIELD: &str = "form";

/// Forms that are remembered.
const MAX_FORMS: usize = 256;

/// A field with a new word, for a form that must not count twice.
pub(crate) fn once() -> Markup {
    html! { input type="hidden" name=(FIELD) value=(secret::word()); }
}

/// A form that has been answered.
#[derive(Debug)]
struct AnsweredForm {
    word: String,
    /// A digest of its content.
    content: u64,
    /// Where its answer led.
    path: String,
}

/// The forms that have been answered, the newest first.
#[derive(Clone, Default, Debug)]
pub(crate) struct AnsweredForms(Arc<Mutex<VecDeque<AnsweredForm>>>);

impl AnsweredForms {
    /// Carries out a form, unless that has been done, and returns the address to which its answer leads. `content`
    /// identifies what it asks for. The same form waits meanwhile. A form without a word is always a new one.
    ///
    /// # Errors
    /// Any error of `act`; the form may then come again.
    pub(crate) async fn answer(
        &self,
        word: &str,
        content: &(impl Hash + Sync + ?Sized),
        act: impl Future<Output = Result<String, SiteError>> + Send + 'static,
    ) -> Result<String, SiteError> {
        let (forms, word) = (Arc::clone(&self.0), word.to_owned());
        let mut hasher = DefaultHasher::new();
        content.hash(&mut hasher);
        let content = hasher.finish();
        // A second click ends the request of the first one, which must be answered all the same.
        let done = tokio::spawn(async move {
            let mut forms = forms.lock().await;
            let is_same = |form: &&AnsweredForm| !word.is_empty() && form.word == word && form.content == content;
            if let Some(known) = forms.iter().find(is_same) {
                return Ok(known.path.clone());
            }
            let path = act.await?;
            if !word.is_empty() {
                forms.truncate(MAX_FORMS - 1);
                forms.push_front(AnsweredForm { word, content, path: path.clone() });
            }
            Ok(path)
        });
        done.await.map_err(SiteError::internal)?
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_form_is_answered_once() {
        let (forms, done) = (AnsweredForms::default(), Arc::new(AtomicUsize::new(0)));
        let send_as = async |word: &str, content: &str| {
            let done = Arc::clone(&done);
            forms
                .answer(word, content, async move { Ok((done.fetch_add(1, Ordering::Relaxed) + 1).to_string()) })
                .await
                .unwrap()
        };
        let send = async |word: &str| send_as(word, "content").await;
        assert_eq!([send("a").await, send("a").await, send("b").await], ["1", "1", "2"]);
        assert_eq!([send("").await, send("").await], ["3", "4"], "without a word it is a new one");
        for number in 0..MAX_FORMS {
            send(&number.to_string()).await;
        }
        assert_eq!(send("0").await, "5");
        assert_eq!(send("a").await, (5 + MAX_FORMS).to_string(), "the oldest are forgotten");
        let next = (6 + MAX_FORMS).to_string();
        assert_eq!(send_as("a", "other").await, next, "with other content it is another form");
        assert_eq!([send_as("a", "other").await, send("a").await], [next, (5 + MAX_FORMS).to_string()]);
    }

    #[tokio::test]
    async fn a_form_whose_request_has_ended_is_answered_and_one_that_is_refused_may_come_again() {
        let forms = AnsweredForms::default();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let (end, ends) = tokio::sync::oneshot::channel::<()>();
        let slow = async move {
            begun.send(()).unwrap();
            ends.await.unwrap();
            Ok("/1".to_owned())
        };
        {
            let first = forms.answer("a", &(), slow);
            tokio::pin!(first);
            tokio::select! {
                _ = &mut first => panic!("it cannot have ended"),
                begins = begins => begins.unwrap(),
            }
        }
        end.send(()).unwrap();
        assert_eq!(forms.answer("a", &(), async { Ok("/2".to_owned()) }).await.unwrap(), "/1");
        assert!(forms.answer("b", &(), async { Err(SiteError::NotFound) }).await.is_err());
        assert_eq!(forms.answer("b", &(), async { Ok("/3".to_owned()) }).await.unwrap(), "/3");
    }
}
