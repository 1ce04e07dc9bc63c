//! The default network: compiled into the program, or in the browser fetched by the page.

use std::ops::Deref;

use super::Network;

/// The content of `default.net`.
#[cfg(not(feature = "web"))]
fn file() -> impl Deref<Target = [u8]> {
    &include_bytes!("default.net")[..]
}

/// The same content, which the page has fetched separately: the program starts sooner without it.
#[cfg(feature = "web")]
fn file() -> impl Deref<Target = [u8]> {
    #[link(wasm_import_module = "judkins")]
    // SAFETY: worker.js has functions of these names and types.
    unsafe extern "C" {
        safe fn network_length() -> usize;
        fn take_network(to: *mut u8);
    }
    let mut file = vec![0; network_length()];
    // SAFETY: the file has this length.
    unsafe { take_network(file.as_mut_ptr()) };
    file
}

impl Network {
    /// The network in `default.net`, which is compiled into the program, and its note.
    pub fn embedded() -> (Network, String) {
        Network::from_bytes(&file()).expect("a test reads the file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_a_network() {
        assert!(Network::from_bytes(&file()).is_ok_and(|(_, note)| !note.is_empty()));
    }
}
