//! What of a report is the same every time.

use serde_json::Value;

/// Without what the clock decides, in the report of a match or of a tournament.
pub(crate) fn timeless(mut report: Value) -> Value {
    let members = report.as_object_mut().expect("an object");
    members.remove("seconds").expect("seconds");
    if let Some(pairings) = members.get_mut("pairings") {
        for pairing in pairings.as_array_mut().expect("reports") {
            *pairing = timeless(pairing.take());
        }
    } else {
        for name in ["time_ms", "nodes_per_s"] {
            members.remove(name).expect(name);
        }
    }
    report
}

/// Without the lines in which there are times.
pub(crate) fn lines_without_times(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !["games ", "a ", "b "].iter().any(|title| line.starts_with(title))).collect()
}
