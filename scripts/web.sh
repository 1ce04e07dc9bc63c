#!/usr/bin/env bash
# The engine in WebAssembly, as an npm package.
#
#   scripts/web.sh OUT
#
# OUT/package gets the package: judkins.js (the Worker), judkins.wasm, judkins.net (the network) and what they need.
#
# Needs Rust's standard library for wasm32-wasip1: from rustup (rustup target add wasm32-wasip1), or built here from its
# source by Debian's compiler (apt-get install rustc-web rust-web-src lld-19 wasi-libc). With wasm-opt (binaryen), the
# program gets smaller.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

target=wasm32-wasip1
flags="-C target-feature=+simd128 -C link-arg=-zstack-size=8388608"
build=()
if [ -z "${WEB_RUSTC:-}" ] && [ -e "$(rustc --print target-libdir --target $target)/self-contained/libc.a" ]; then
    :
elif [ -e /usr/lib/wasm32-wasi/libc.a ] && [ -d /usr/lib/rustlib/src/rust/library ]; then
    # The compiler that the source belongs to; building the standard library is not stable.
    export RUSTC=${WEB_RUSTC:-/usr/bin/rustc} RUSTC_BOOTSTRAP=1
    export CARGO_TARGET_WASM32_WASIP1_LINKER=wasm-ld-19
    build=(-Z build-std=std,panic_abort)
    flags+=" -L /usr/lib/wasm32-wasi -C link-self-contained=no -C link-arg=/usr/lib/wasm32-wasi/crt1-reactor.o -C link-arg=-lc"
else
    echo "no Rust for $target here: rustup target add $target, or apt-get install rustc-web rust-web-src lld-19 wasi-libc" >&2
    exit 3
fi
CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS=$flags cargo rustc --quiet --locked --lib --crate-type cdylib --profile dist \
    --target $target "${build[@]}" --no-default-features --features web

package=$out/package
rm -rf "$package"
mkdir "$package"
built=${CARGO_TARGET_DIR:-target}/$target/dist/judkins.wasm
if command -v wasm-opt >/dev/null; then
    wasm-opt -O3 --enable-simd --enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int \
        "$built" -o "$package/judkins.wasm"
else
    cp "$built" "$package/judkins.wasm"
fi
cp src/eval/nnue/default.net "$package/judkins.net"
cp src/web/*.js src/web/package/* LICENSE "$package"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
sed -i "s/VERSION/$version/" "$package/package.json"
for file in judkins.wasm judkins.net; do
    echo "$file: $(stat -c %s "$package/$file") bytes, $(gzip -9c "$package/$file" | wc -c) by gzip"
done
