use super::Network;

static FILE: &[u8] = include_bytes!("default.net");

impl Network {
    /// The network in `default.net`, which the program is built with, and its note.
    pub fn embedded() -> (Network, String) {
        Network::from_bytes(FILE).expect("a test reads the file")
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
