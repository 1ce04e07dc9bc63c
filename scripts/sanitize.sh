#!/usr/bin/env bash
# Runs the tests of protocol, search and threads under AddressSanitizer, or under the sanitizer that is named:
#     scripts/sanitize.sh [address|thread]
# Stable Rust has sanitizers behind RUSTC_BOOTSTRAP. The standard library is the one that comes with Rust, without their
# checks; what of it is generic, locks and atomics among it, is compiled into this program and has them.
set -euo pipefail
cd "$(dirname "$0")/.."
sanitizer=${1:-address}
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-Zsanitizer=$sanitizer -Cunsafe-allow-abi-mismatch=sanitizer"
# Tests ask for more memory than there is, and expect to be refused.
export ASAN_OPTIONS=allocator_may_return_null=1 TSAN_OPTIONS=allocator_may_return_null=1
run() { cargo test --quiet --target "$host" --target-dir "target/$sanitizer" "$@"; }
run --lib -- search:: engine:: frontend:: mate:: protocol::
run --test search --test two_engines
run --test protocol -- --skip cost
