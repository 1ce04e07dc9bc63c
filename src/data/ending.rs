//! The numbers by which a game's ending is kept in shards. A number once given is never given to another ending.

use crate::shogi::EndReason;
use EndReason::*;

/// The number of an ending.
pub(super) const fn ending_code(ending: EndReason) -> u8 {
    match ending {
        Checkmate => 0,
        NoLegalMove => 1,
        Sennichite => 2,
        PerpetualCheck => 3,
        Impasse => 4,
        Declaration => 5,
        Try => 6,
        Proven => 7,
        AdjudicatedWin => 8,
        MoveLimit => 9,
        WrongDeclaration => 10,
        Resignation => 11,
        IllegalMove => 12,
        Time => 13,
        Hang => 14,
        Crash => 15,
        NoStart => 16,
        ClosedOutput => 17,
        Flood => 18,
        Nonsense => 19,
        UnaskedMove => 20,
        AdjudicatedDraw => 21,
        Interrupted => 22,
    }
}

/// The ending with this number, if it is an ending's.
pub(super) const fn ending_with_code(code: u8) -> Option<EndReason> {
    Some(match code {
        0 => Checkmate,
        1 => NoLegalMove,
        2 => Sennichite,
        3 => PerpetualCheck,
        4 => Impasse,
        5 => Declaration,
        6 => Try,
        7 => Proven,
        8 => AdjudicatedWin,
        9 => MoveLimit,
        10 => WrongDeclaration,
        11 => Resignation,
        12 => IllegalMove,
        13 => Time,
        14 => Hang,
        15 => Crash,
        16 => NoStart,
        17 => ClosedOutput,
        18 => Flood,
        19 => Nonsense,
        20 => UnaskedMove,
        21 => AdjudicatedDraw,
        22 => Interrupted,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_a_number_of_its_own() {
        for ending in EndReason::ALL {
            assert_eq!(ending_with_code(ending_code(ending)), Some(ending));
        }
        let known = (0..=u8::MAX).filter_map(ending_with_code).count();
        assert_eq!(known, EndReason::ALL.len());
    }

    #[test]
    fn shards_on_disk_keep_their_endings() {
        let first: Vec<_> = (0..10).filter_map(ending_with_code).collect();
        let expected = [
            Checkmate,
            NoLegalMove,
            Sennichite,
            PerpetualCheck,
            Impasse,
            Declaration,
            Try,
            Proven,
            AdjudicatedWin,
            MoveLimit,
        ];
        assert_eq!(first, expected);
    }
}
