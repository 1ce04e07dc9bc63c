#!/usr/bin/env bash
# Everything a change must pass, as CI runs it. Needs Rust; a step whose tools are missing is skipped, and says what to install.
# A commit that changes the node count of `judkins bench` states it in its message: a line `Bench: N`.
set -euo pipefail
cd "$(dirname "$0")/.."
unset CARGO_TARGET_DIR

step() { printf '\n== %s (after %d s)\n' "$*" "$SECONDS"; }

# Build the site beside the tests, which leave a quarter of two cores idle.
mkdir -p target/web
nice -n 19 scripts/web.sh target/web >target/web/log 2>&1 &
web=$!

step "tests (the README's command)"
# Many of them wait for other programs.
RUST_TEST_THREADS=$((2 * $(nproc))) cargo test

# axe-core (npm) finds what keeps people from using a page.
if command -v chromedriver >/dev/null && command -v npm >/dev/null; then
    step "the board's page in a browser"
    axe=target/axe/package/axe.min.js
    if [ ! -e "$axe" ]; then
        mkdir -p target/axe
        (cd target/axe && npm pack --silent axe-core@4.14.1 && tar -xzf axe-core-4.14.1.tgz)
    fi
    chromedriver --version
    skipped=(--skip site::)
    # It reads QR codes.
    if command -v zbarimg >/dev/null; then
        cargo test --lib -- --ignored qr_code
    else
        echo "no zbarimg here: QR codes are not read (apt-get install zbar-tools)"
        skipped+=(--skip qr_code)
    fi
    # With one test a core, a core rests for 15 % of the time.
    RUST_TEST_THREADS=$((3 * $(nproc) / 2)) JUDKINS_AXE=$PWD/$axe cargo test --test browser -- --ignored "${skipped[@]}"
else
    echo "no chromedriver or npm here: the board's page is not tested (apt-get install chromium chromium-driver npm)"
fi

# Lint beside the next steps, which need one core.
lint() {
    cargo fmt --check
    if command -v npm >/dev/null; then
        npx --yes prettier@3.10.1 --check "src/board/**/*.{js,css}" "src/web/*.js"
    else
        echo "no npm here: the layout of scripts and styles is not checked (apt-get install npm)"
    fi
    cargo clippy --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps
    # Unsafe code is listed: what is new is looked at before it is added to the list.
    scripts/unsafe.sh | diff tests/data/unsafe.txt -
    # The library without the command line, and what only the command line needs.
    cargo clippy --no-default-features --lib -- -D warnings
    cargo clippy --no-default-features --features cli -- -D warnings
    # The package that `cargo publish` would send.
    cargo package --no-verify --allow-dirty --quiet
}
lint >target/lints 2>&1 &
lints=$!

step "dependencies: licences, crates of several versions, sources"
# They are listed: what is new is looked at before it is added to the list. A licence must allow the crate to be part of a
# program under GPL-3.0-or-later.
tree() { cargo tree --quiet --locked --all-features --edges normal --target all --prefix none "$@" | sed 's/ (\*)$//'; }
{
    tree --format '{l}' | LC_ALL=C sort -u
    tree --duplicates --depth 0 | cut -d ' ' -f 1,2 | LC_ALL=C sort -u | cut -d ' ' -f 1 | uniq -cd | sed 's/^ *//'
    sed -n 's/^source = //p' Cargo.lock | LC_ALL=C sort -u
} | diff tests/data/dependencies.txt -

# The program that the tests have built. A release build takes minutes; scripts/release.sh checks its programs' bench
# signature, legal moves, start-up time and memory.
judkins=$PWD/target/debug/judkins
step "legal moves and records against pyffish"
if python3 -c 'import pyffish' 2>/dev/null; then
    python3 scripts/lab/legality.py --engine "$judkins" --positions 2000 --seed "${LEGALITY_SEED:-1}"
    python3 scripts/lab/records.py --program "$judkins" --games 20 --seed "${LEGALITY_SEED:-1}"
else
    echo "skipped: no pyffish here (pip install pyffish)"
fi

step "cluster.py with Dask on this machine"
if python3 -c 'import distributed' 2>/dev/null; then
    python3 scripts/cluster_test.py "$judkins"
else
    echo "skipped: no Dask here (pip install dask distributed)"
fi

step "bench signature"
nodes=$("$judkins" bench | tail -n 1 | cut -d' ' -f1)
echo "bench: $nodes nodes"
# The last commit that states a signature must state this one.
stated=$({ git log -100 --format=%B 2>/dev/null || true; } | sed -n 's/^Bench: \([0-9]*\)$/\1/p' | head -n 1)
if [ -n "$stated" ] && [ -z "$(git status --porcelain -- src 2>/dev/null)" ]; then
    [ "$nodes" = "$stated" ] || { echo "the last commit message with a signature says $stated"; exit 1; }
fi

step "formatting, lints, docs"
passed=0
wait "$lints" || passed=$?
cat target/lints
[ $passed = 0 ]

built=0
wait "$web" || built=$?
# Build the fuzz targets beside the browser tests of the site, which do not keep both cores busy.
fuzz=
if command -v c++ >/dev/null; then
    scripts/fuzz.sh 0 &
    fuzz=$!
fi

step "the engine in WebAssembly"
cat target/web/log
if [ $built = 3 ]; then
    echo "skipped"
elif [ $built != 0 ]; then
    exit 1
elif ! command -v npm >/dev/null; then
    echo "skipped: no npm here (apt-get install npm)"
else
    packed=$(tar -c -C target/web site | gzip -9 | wc -c)
    [ "$packed" -le 1900000 ] || { echo "the site is larger than 1.9 MB: $packed bytes by gzip"; exit 1; }
    # The count must not depend on the processor.
    node scripts/web_test.mjs target/web/package --signature "$nodes"
    if command -v chromedriver >/dev/null; then
        JUDKINS_SITE=target/web/site cargo test --test browser -- --ignored site:: site_too::
    fi
fi

step "fuzz targets"
if [ -n "$fuzz" ]; then
    wait "$fuzz"
    scripts/fuzz.sh "${FUZZ_SECONDS:-5}"
else
    echo "skipped: no C++ compiler here (apt-get install g++)"
fi

step "a network from nothing, at toy size"
rm -rf target/network-tiny
JUDKINS=$judkins scripts/network.sh --tiny target/network-tiny

step "a game in XBoard's window"
if command -v Xvfb >/dev/null && PATH=$PATH:/usr/games command -v sjaakii >/dev/null; then
    ENGINE=$judkins scripts/gui-xboard.sh
else
    echo "skipped: no Xvfb or sjaakii here (apt-get install xboard xvfb sjaakii imagemagick)"
fi
