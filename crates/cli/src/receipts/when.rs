//! Days and moments, as they are typed and printed. A day is UTC's: the same ledger gives the same
//! list wherever it is read.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

const FORMS: &str = "a day, `2026-11-30`, or a moment, `2026-11-30T14:05:00Z`, is needed";

/// The first moment that is meant, in ms since 1970.
pub(super) fn since(text: &str) -> Result<i64, String> {
    moment(text, Some)
}

/// The first moment that is no longer meant, in ms since 1970: of a day the next day's first.
pub(super) fn until(text: &str) -> Result<i64, String> {
    moment(text, |day| day.tomorrow().ok())
}

fn moment(text: &str, day: impl Fn(Date) -> Option<Date>) -> Result<i64, String> {
    // A moment names an offset and a day does not, so no text is both.
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment.as_millisecond());
    }
    let is_day = text.len() == "2026-11-30".len();
    let named = text.parse::<Date>().ok().filter(|_| is_day).and_then(day);
    let begins = named.and_then(|day| TimeZone::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok());
    begins.map(Timestamp::as_millisecond).ok_or_else(|| FORMS.to_owned())
}

/// A moment as text, to the second; what no calendar holds as its number.
pub(super) fn text(ms: i64) -> String {
    let second = Timestamp::from_second(ms.div_euclid(1000));
    second.map_or_else(|_| format!("{ms} ms"), |second| second.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_all_of_it_and_a_moment_is_one() {
        let day = 20_787 * 86_400_000;
        assert_eq!(since("2026-11-30"), Ok(day));
        assert_eq!(until("2026-11-30"), Ok(day + 86_400_000));
        let moment = day + (14 * 60 + 5) * 60_000;
        for text in ["2026-11-30T14:05:00Z", "2026-11-30T15:05:00+01:00", "2026-11-30T14:05Z"] {
            assert_eq!((since(text), until(text)), (Ok(moment), Ok(moment)), "{text}");
        }
        assert_eq!(since("2026-11-30T14:05:00.25Z"), Ok(moment + 250));
        assert_eq!(text(moment + 999), "2026-11-30T14:05:00Z");
        assert_eq!(text(-1), "1969-12-31T23:59:59Z");
    }

    #[test]
    fn what_names_no_moment_is_refused() {
        for text in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-11-31",
            "2026-11",
            "20261130",
            "1764511500",
            // Whose clock?
            "2026-11-30T14:05:00",
            "2026-11-30 14:05",
        ] {
            assert_eq!(since(text), Err(FORMS.to_owned()), "{text}");
        }
        // The calendar's last day has no next one.
        assert!(since("9999-12-31").is_ok() || until("9999-12-31").is_err());
        assert_eq!(text(i64::MAX), format!("{} ms", i64::MAX));
    }
}
