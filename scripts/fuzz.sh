#!/usr/bin/env bash
# Runs every fuzz target of tests/fuzz for SECONDS each (10 if left out; 0 only builds them), or only the targets that are
# named:
#     scripts/fuzz.sh [SECONDS] [TARGET]…
# Needs a C++ compiler. Findings are written to target/fuzz/found/TARGET; new inputs are collected in
# target/fuzz/corpus/TARGET. MINIMISE=1 then replaces those of tests/fuzz/corpus that have no name of their own by the
# smallest set of short inputs that reaches as much code.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=10
if [[ ${1:-} =~ ^[0-9]+$ ]]; then
    seconds=$1
    shift
fi
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    mapfile -t targets < <(basename -s .rs tests/fuzz/src/bin/*.rs)
fi

host=$(rustc -vV | sed -n 's/^host: //p')
# Coverage of edges and comparisons, as libFuzzer wants it, and AddressSanitizer, which stable Rust has behind this variable.
# Only our own code gets them: dependencies would take twice as long to build.
export RUSTC_BOOTSTRAP=1
flags='["-Cpasses=sancov-module", "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters", "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares", "-Zsanitizer=address", "--cfg=fuzzing"]'
flags=${flags//$'\n'/}
build=(-Z profile-rustflags)
for package in judkins judkins-fuzz; do build+=(--config "profile.release.package.$package.rustflags=$flags"); done
for target in "${targets[@]}"; do build+=(--bin "$target"); done
cargo build --quiet --locked --release --manifest-path tests/fuzz/Cargo.toml --target "$host" --target-dir target/fuzz "${build[@]}"
[ "$seconds" != 0 ] || exit 0

# One target; the others run beside it, one a core.
fuzz() {
    target=$1
    seeds=tests/fuzz/corpus/$target
    corpus=target/fuzz/corpus/$target
    found=target/fuzz/found/$target
    log=target/fuzz/$target.log
    mkdir -p "$seeds" "$corpus" "$found"
    program=target/fuzz/$host/release/$target
    # Leaks are not looked for, after an input or at the end: a thread of a session that is ending still has its own storage.
    export ASAN_OPTIONS=detect_leaks=0
    if ! "$program" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$found/" "$corpus" "$seeds" >"$log" 2>&1; then
        tail -n 40 "$log"
        echo "$target found something: $program $found/…"
        return 1
    fi
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$target: $executions executions, $(find "$corpus" "$seeds" -type f | wc -l) inputs"
    if [ -n "${MINIMISE:-}" ]; then
        cover=$(mktemp -d)
        "$program" -set_cover_merge=1 -use_counters=0 -max_len=300 "$cover" "$seeds" "$corpus" >"$log.merge" 2>&1
        # Of inputs without a name libFuzzer makes their hash the name.
        find "$seeds" -type f -regextype egrep -regex '.*/[0-9a-f]{40}' -delete
        find "$cover" -type f -exec cp -t "$seeds" {} +
        rm -r "$cover"
    fi
}
export -f fuzz
export host seconds
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c 'set -euo pipefail; fuzz {}'
