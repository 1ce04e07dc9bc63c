//! Memory in huge pages: with pages of 4 KiB, random accesses to more than some megabytes miss the TLB.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Zeroable;

/// A huge page on x86-64 and most other processors.
const HUGE_PAGE: usize = 2 << 20;

/// Not enough memory for a table of this kind and size in MiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no memory for a {0} table of {1} MiB")]
pub struct OutOfMemory(pub &'static str, pub usize);

/// A slice of fixed length, aligned to a cache line, and in huge pages if it fills one and the system supports them.
pub struct HugePages<T> {
    allocation: NonNull<u8>,
    layout: Layout,
    items: NonNull<T>,
    len: usize,
}

// SAFETY: it owns its items, as a boxed slice does.
unsafe impl<T: Send> Send for HugePages<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for HugePages<T> {}

impl<T: Zeroable> HugePages<T> {
    /// Allocates zeroed items. Aborts the program if there is not enough memory, as `Vec` does.
    pub fn zeroed(len: usize) -> HugePages<T> {
        HugePages::try_zeroed(len).unwrap_or_else(|| handle_alloc_error(Layout::new::<T>()))
    }

    /// Allocates the zeroed items of a table of this size, at least one MiB. `kind` is its name in the error.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the allocation fails.
    pub fn table(mebibytes: usize, kind: &'static str) -> Result<HugePages<T>, OutOfMemory> {
        let bytes = mebibytes.max(1).checked_mul(1 << 20);
        bytes.and_then(|bytes| HugePages::try_zeroed(bytes / size_of::<T>())).ok_or(OutOfMemory(kind, mebibytes))
    }

    /// Allocates zeroed items; none if there is not enough memory. The system provides pages when they are first
    /// touched.
    pub fn try_zeroed(len: usize) -> Option<HugePages<T>> {
        const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= 64) };
        let bytes = len.checked_mul(size_of::<T>())?;
        let align = if bytes >= HUGE_PAGE && cfg!(target_os = "linux") { HUGE_PAGE } else { 64 };
        // For a greater alignment than malloc's, `alloc_zeroed` would write the zeros and get small pages.
        let layout = Layout::from_size_align(bytes.checked_add(align)?, 16).ok()?;
        // SAFETY: the layout has a size of at least `align`.
        let allocation = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        // SAFETY: the allocation has `align` more bytes than the items, so the aligned start is less than that into it.
        let items = unsafe { allocation.add(allocation.align_offset(align)) };
        if align == HUGE_PAGE {
            advise(items, bytes);
        }
        Some(HugePages { allocation, layout, items: items.cast(), len })
    }

    /// Has the system provide all pages now, so that nobody waits for them later. Clears the items.
    pub fn prefault(&mut self) {
        // SAFETY: the allocation has as many bytes from `items` on, and all zeros are a valid item.
        unsafe { self.items.write_bytes(0, self.len) }
    }
}

/// Asks the system for huge pages.
fn advise(start: NonNull<u8>, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        // SAFETY: the range is inside an allocation, and the advice changes none of its bytes.
        if let Err(error) = unsafe { madvise(start.as_ptr().cast(), bytes, Advice::LinuxHugepage) } {
            tracing::debug!("no huge pages: {error}");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, bytes);
}

impl<T> Deref for HugePages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the allocation has `len` items from there on, and all zeros are a valid item.
        unsafe { std::slice::from_raw_parts(self.items.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for HugePages<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`.
        unsafe { std::slice::from_raw_parts_mut(self.items.as_ptr(), self.len) }
    }
}

impl<T> Drop for HugePages<T> {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout; items need no drop.
        unsafe { dealloc(self.allocation.as_ptr(), self.layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_zeroed_and_aligned() {
        for len in [0, 1, 100, 300_000] {
            let mut items = HugePages::<[u64; 2]>::zeroed(len);
            assert_eq!(items.len(), len);
            assert!(items.as_ptr().addr().is_multiple_of(if len == 300_000 && cfg!(target_os = "linux") {
                HUGE_PAGE
            } else {
                64
            }));
            assert!(items.iter().all(|item| *item == [0; 2]));
            items.fill([1; 2]);
        }
        assert!(HugePages::<u64>::try_zeroed(usize::MAX / 8).is_none());
    }
}
