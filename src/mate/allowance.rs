//! The time and nodes that several mate searches share, divided among those still to run.

use std::time::Instant;

use super::MateLimits;

/// The remaining part of limits shared by several searches.
pub(super) struct Allowance {
    limits: MateLimits,
    deadline: Option<Instant>,
}

impl Allowance {
    /// The time starts now.
    pub(super) fn new(limits: MateLimits) -> Allowance {
        Allowance { limits, deadline: limits.time.and_then(|time| Instant::now().checked_add(time)) }
    }

    /// The limits of one of `searches` searches that share the remainder.
    pub(super) fn share(&self, searches: usize) -> MateLimits {
        let searches = u32::try_from(searches.max(1)).unwrap_or(u32::MAX);
        MateLimits {
            time: self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()) / searches),
            nodes: self.limits.nodes.map(|nodes| nodes / u64::from(searches)),
            ..self.limits
        }
    }

    pub(super) fn spend(&mut self, nodes: u64) {
        self.limits.nodes = self.limits.nodes.map(|left| left.saturating_sub(nodes));
    }
}
