//! The time.

use std::time::{SystemTime, UNIX_EPOCH};

use agon_message::messages;

messages! {
    /// How far away a time is, in a few words.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum TimeDistance {
        InSeconds { count: i64 } = "in {count} s",
        InMinutes { count: i64 } = "in {count} min",
        InHours { count: i64 } = "in {count} h",
        InDays { count: i64 } = "in {count} days",
        SecondsAgo { count: i64 } = "{count} s ago",
        MinutesAgo { count: i64 } = "{count} min ago",
        HoursAgo { count: i64 } = "{count} h ago",
        DaysAgo { count: i64 } = "{count} days ago",
    }
}

/// How far away a time is from now.
pub fn distance(then: i64) -> TimeDistance {
    let ahead = then - now();
    let (is_ahead, seconds) = (ahead > 0, ahead.abs());
    match (is_ahead, seconds) {
        (true, 0..60) => TimeDistance::InSeconds { count: seconds },
        (true, 60..3600) => TimeDistance::InMinutes { count: seconds / 60 },
        (true, 3600..172_800) => TimeDistance::InHours { count: seconds / 3600 },
        (true, _) => TimeDistance::InDays { count: seconds / 86_400 },
        (false, 0..60) => TimeDistance::SecondsAgo { count: seconds },
        (false, 60..3600) => TimeDistance::MinutesAgo { count: seconds / 60 },
        (false, 3600..172_800) => TimeDistance::HoursAgo { count: seconds / 3600 },
        (false, _) => TimeDistance::DaysAgo { count: seconds / 86_400 },
    }
}

/// Seconds since 1970 (UTC).
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// Milliseconds since 1970 (UTC), with digits after the point.
pub fn now_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| (since.as_secs_f64() * 1e6).round() / 1e3)
}
