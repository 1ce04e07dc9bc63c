#!/usr/bin/env bash
# Prints every piece of unsafe code of the program, with the reason that stands before it: file, code, reason.
# tests/data/unsafe.txt holds what it printed last; CI compares.
set -euo pipefail
cd "$(dirname "$0")/.."
find src -name '*.rs' | LC_ALL=C sort | xargs awk '
    FNR == 1 { reason = ""; reading = 0 }
    # A reason may take several lines.
    /^ *\/\/ SAFETY:/ { sub(/^ *\/\/ SAFETY: */, ""); reason = $0; reading = 1; next }
    reading && /^ *\/\/ / { sub(/^ *\/\/ */, ""); reason = reason " " $0; next }
    { reading = 0 }
    /(^|[^_a-z-])unsafe( |$)/ && !/^ *\/\// && !/unsafe_/ {
        code = $0
        sub(/^ */, "", code)
        print FILENAME ": " code
        print "    " (reason == "" ? "NO REASON GIVEN" : reason)
        reason = ""
    }
'
