#!/usr/bin/env bash
# Runs the tests of protocol, search and threads under AddressSanitizer, or under the sanitizer that is named:
#     scripts/sanitize.sh [address|thread]
# Stable Rust has sanitizers behind RUSTC_BOOTSTRAP. With `address` the standard library is the one that comes with Rust,
# without checks. `thread` compiles it too, since what it orders would not be seen otherwise: rustup component add rust-src
set -euo pipefail
cd "$(dirname "$0")/.."
sanitizer=${1:-address}
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-Zsanitizer=$sanitizer -Cunsafe-allow-abi-mismatch=sanitizer ${RUSTFLAGS:-}"
library=()
[ "$sanitizer" != thread ] || library=(-Zbuild-std)
# ThreadSanitizer does not know the fences by which rayon's queues free what nobody uses any more.
suppressions=target/thread-suppressions.txt
mkdir -p target
echo race:crossbeam_epoch >"$suppressions"
# Tests ask for more memory than there is, and expect to be refused.
export ASAN_OPTIONS=allocator_may_return_null=1
# ThreadSanitizer waits for a second at each program's end unless told otherwise; tests wait no longer than that.
export TSAN_OPTIONS="allocator_may_return_null=1 atexit_sleep_ms=0 suppressions='$PWD/$suppressions'"
run() { cargo test --quiet "${library[@]}" --target "$host" --target-dir "target/$sanitizer" "$@"; }
run --lib -- search:: engine:: frontend:: mate:: protocol::
# These limit or measure memory, and under ThreadSanitizer time, which the sanitizers change.
skip=(--skip cost --skip ten_megabytes --skip more_hash --skip more_threads --skip changed_a_hundred_times)
[ "$sanitizer" != thread ] || skip+=(--skip analysis_is_at_full_strength)
run --test integration -- search:: two_engines:: protocol:: "${skip[@]}"
