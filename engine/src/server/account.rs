//! How much of something is held, by one client and by all together, and how much may be.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts what is held of something, and refuses what would be too much.
#[derive(Debug)]
pub(super) struct Account {
    used: AtomicUsize,
    most: usize,
    /// What is held here is held there as well.
    of_all: Option<Arc<Account>>,
}

/// There may not be so much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full {
    pub(super) most: usize,
    /// Whether it is all clients together who hold so much.
    pub(super) is_of_all: bool,
}

impl Account {
    pub(super) fn new(most: usize) -> Arc<Account> {
        Arc::new(Account { used: AtomicUsize::new(0), most, of_all: None })
    }

    /// The account of one among those who share this one.
    pub(super) fn of_one(self: &Arc<Account>, most: usize) -> Arc<Account> {
        Arc::new(Account { used: AtomicUsize::new(0), most, of_all: Some(Arc::clone(self)) })
    }

    pub(super) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Holds so much until what is given is dropped.
    pub(super) fn hold(self: &Arc<Account>, amount: usize) -> Result<Held, Full> {
        self.add(amount)?;
        Ok(Held { account: Arc::clone(self), amount })
    }

    fn add(&self, amount: usize) -> Result<(), Full> {
        let sum = |used: usize| used.checked_add(amount).filter(|&sum| sum <= self.most);
        if self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum).is_err() {
            return Err(Full { most: self.most, is_of_all: self.of_all.is_none() });
        }
        if let Some(of_all) = &self.of_all
            && let Err(full) = of_all.add(amount)
        {
            self.used.fetch_sub(amount, Ordering::Relaxed);
            return Err(full);
        }
        Ok(())
    }

    fn remove(&self, amount: usize) {
        self.used.fetch_sub(amount, Ordering::Relaxed);
        if let Some(of_all) = &self.of_all {
            of_all.remove(amount);
        }
    }
}

/// What somebody holds.
#[derive(Debug)]
pub(super) struct Held {
    account: Arc<Account>,
    amount: usize,
}

impl Held {
    /// Holds more, or less. Without room for more it stays as it is.
    pub(super) fn resize(&mut self, amount: usize) -> Result<(), Full> {
        match amount.checked_sub(self.amount) {
            Some(more) => self.account.add(more)?,
            None => self.account.remove(self.amount - amount),
        }
        self.amount = amount;
        Ok(())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.account.remove(self.amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_all_have_their_limits_and_what_is_dropped_is_free_again() {
        let all = Account::new(10);
        let [one, two] = [(); 2].map(|()| all.of_one(7));
        let mut held = one.hold(4).expect("there is room");
        assert_eq!(held.resize(8), Err(Full { most: 7, is_of_all: false }));
        held.resize(7).expect("there is room");
        assert_eq!(two.hold(4).err(), Some(Full { most: 10, is_of_all: true }));
        assert_eq!((one.used(), two.used(), all.used()), (7, 0, 7));
        held.resize(2).expect("less is always possible");
        let other = two.hold(7).expect("there is room now");
        drop((held, other));
        assert_eq!((one.used(), two.used(), all.used()), (0, 0, 0));
    }
}
