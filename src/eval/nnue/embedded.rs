use super::Network;

#[cfg(not(feature = "web"))]
static FILE: &[u8] = include_bytes!("default.net");

/// The same file, as the page has fetched it beside the program, which starts sooner without it.
#[cfg(feature = "web")]
static FILE: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| {
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
});

impl Network {
    /// The network in `default.net`, which the program is built with, and its note.
    pub fn embedded() -> (Network, String) {
        Network::from_bytes(&FILE[..]).expect("a test reads the file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_a_network() {
        assert!(Network::from_bytes(FILE).is_ok_and(|(_, note)| !note.is_empty()));
    }
}
