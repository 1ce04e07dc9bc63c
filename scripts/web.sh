#!/usr/bin/env bash
# The board and the engine in WebAssembly.
#
#   scripts/web.sh OUT
#
# OUT/site gets a site that any host of static files serves, from any path: the board with the engine in it.
# OUT/package gets an npm package: judkins.js (a USI Worker), judkins.wasm, judkins.net (the network) and what they need.
#
# Needs Rust's standard library for wasm32-wasip1: from rustup (rustup target add wasm32-wasip1), or built here from its
# source by Debian's compiler (apt-get install rustc-web rust-web-src lld-19 wasi-libc); and for a program that is a tenth
# smaller, wasm-opt (apt-get install binaryen).
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."

target=wasm32-wasip1
# Less inlining makes it 10 % smaller, and not slower.
flags="-C target-feature=+simd128 -C llvm-args=--inline-threshold=20 -C link-arg=-zstack-size=8388608"
build=()
if [ -e "$(rustc --print target-libdir --target $target)/self-contained/libc.a" ]; then
    :
elif [ -e /usr/lib/wasm32-wasi/libc.a ] && [ -d /usr/lib/rustlib/src/rust/library ]; then
    # The compiler that the source belongs to; building the standard library is not stable.
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    export CARGO_TARGET_WASM32_WASIP1_LINKER=wasm-ld-19
    build=(-Z build-std=std,panic_abort -Z build-std-features=optimize_for_size)
    flags+=" -L /usr/lib/wasm32-wasi -C link-self-contained=no -C link-arg=/usr/lib/wasm32-wasi/crt1-reactor.o -C link-arg=-lc"
else
    echo "no Rust for $target here: rustup target add $target, or apt-get install rustc-web rust-web-src lld-19 wasi-libc" >&2
    exit 3
fi
# The units of an incremental build make the site 20 KB larger.
export CARGO_INCREMENTAL=0
CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS=$flags cargo rustc --quiet --locked --lib --crate-type cdylib --profile web \
    --target $target "${build[@]}" --no-default-features --features web

package=$out/package
rm -rf "$package"
mkdir "$package"
built=${CARGO_TARGET_DIR:-target}/$target/web/judkins.wasm
if command -v wasm-opt >/dev/null; then
    features=(simd bulk-memory sign-ext nontrapping-float-to-int mutable-globals multivalue reference-types)
    # LLVM has inlined what makes it faster: more of it takes 8 KB of the compressed site.
    wasm-opt "${features[@]/#/--enable-}" -O3 --one-caller-inline-max-function-size=200 "$built" -o "$package/judkins.wasm"
else
    cp "$built" "$package/judkins.wasm"
fi
# Store the input weights of each king's bucket as differences from the mean of the previous buckets, and the low bytes of
# all weights before the high ones: zlib compresses that better. worker.js unpacks it.
python3 - src/eval/nnue/default.net "$package/judkins.net" <<'END'
import array, struct, sys, zlib
file = open(sys.argv[1], "rb").read()
start, stride, buckets = 52 + struct.unpack_from("<I", file, 36)[0], 888 * 256, 6
weights = array.array("h", file[start:])
if sys.byteorder == "big":
    weights.byteswap()
packed = array.array("h", weights)
for index in range(stride):
    total = 0
    for bucket in range(1, buckets):
        at = bucket * stride + index
        total += weights[at - stride]
        packed[at] = weights[at] - (2 * total + bucket) // (2 * bucket)
words = [weight << 1 ^ weight >> 15 for weight in packed]
planes = bytes(word & 255 for word in words) + bytes(word >> 8 & 255 for word in words)
head = struct.pack("<III", start, stride, buckets) + file[:start]
# zlib's manual recommends Z_FILTERED for small values with a random distribution.
deflate = zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_FILTERED)
open(sys.argv[2], "wb").write(deflate.compress(head + planes) + deflate.flush())
END
cp src/web/*.js src/web/package/* LICENSE "$package"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
sed -i "s/VERSION/$version/" "$package/package.json"

site=$out/site
rm -rf "$site"
mkdir -p "$site/assets"
cp src/board/page/* src/board/state/replay.js "$site/assets"
# The page talks to the Worker of board-worker.js instead of a server.
cp src/board/web/*.js "$package"/{judkins.js,judkins.wasm,judkins.net,wasm.js,worker.js} "$site/assets"
mv "$site"/assets/{index.html,service-worker.js} "$site"
cp src/board/web/manifest.webmanifest "$site"
cp scripts/package/judkins.svg "$site/icon.svg"
sed -i 's|<link rel="icon"[^>]*>|<link rel="icon" href="icon.svg"><link rel="manifest" href="manifest.webmanifest">|' "$site/index.html"
# Comments of one line take 11 KB of the compressed site.
sed -i -e '/^\s*\/\/ /d' -e '/^\s*\/\*\* .* \*\/$/d' "$site"/assets/*.js
files=$(cd "$site" && find . -type f ! -name service-worker.js | LC_ALL=C sort)
hash=$(cd "$site" && cat $files | sha256sum | cut -c 1-16)
list=$(printf '"%s", ' $files | sed 's|"./index.html"|"./"|')
sed -i -e "s|@VERSION@|$hash|" -e "s|/\* @FILES@ \*/|${list%, }|" "$site/service-worker.js"

for file in "$package"/judkins.{wasm,net}; do
    echo "${file##*/}: $(stat -c %s "$file") bytes, $(gzip -9c "$file" | wc -c) by gzip"
done
total=$(cd "$site" && cat $files service-worker.js | wc -c)
packed=$(cd "$site" && for file in $files service-worker.js; do gzip -9c "$file"; done | wc -c)
echo "the site: $total bytes, $packed by gzip"
