#!/usr/bin/env bash
# A release: programs for Linux and Windows, a Debian package, checksums, and the release's text.
#
#   scripts/release.sh VERSION
#   scripts/release.sh --files        lists the files of the repository that are in it
#
# VERSION is that of Cargo.toml. Everything is left in target/dist/VERSION:
#
#   judkins-VERSION-linux-x86_64.tar.gz      runs on every 64-bit PC
#   judkins-VERSION-linux-x86_64-v3.tar.gz   3 % faster, for processors since 2013 (AVX2, BMI2)
#   judkins-VERSION-windows-x86_64.zip       runs on every 64-bit PC, from Windows 10
#   judkins_VERSION_amd64.deb                the first of them, with man pages, completions, an entry in the menu
#   SHA256SUMS, RELEASE.md
#
# There is none for x86-64-v4 (AVX-512): it was 3 % slower than v3. The programs are static. Those for Linux are built with
# the profile of a bench and of some games, where an llvm-profdata is found (apt-get install llvm-19).
#
# Windows needs mingw (apt-get install gcc-mingw-w64-x86-64-posix) and Rust's standard library for x86_64-pc-windows-gnu:
# from rustup, or built here from its source by the compiler that WINDOWS_RUSTC names (/usr/bin/rustc; apt-get install
# rustc-web rust-web-src). The result is tested under wine. Without these tools there is no program for Windows.
set -euo pipefail
cd "$(dirname "$0")/.."

# The documents of every release: README, guides, all scripts, and the files that the guides name.
documents() {
    local guides path
    guides=$(git ls-files '*.md')
    git ls-files README.md LICENSE engine.toml scripts
    printf '%s\n' $guides
    grep -ohE '(src|tests|benches)/[[:alnum:]_./-]*[[:alnum:]]' $guides | sort -u | while read -r path; do
        [ ! -f "$path" ] || echo "$path"
    done
}
[ "${1:-}" != --files ] || { documents | sort -u; exit; }
[ $# -eq 1 ] || { sed -n '2,21s/^# \{0,1\}//p' "$0"; exit 2; }
version=$1
stated=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
[ "$version" = "$stated" ] || { echo "Cargo.toml says version $stated"; exit 1; }
[ -z "$(git status --porcelain)" ] || { echo "commit first: a release is made of a commit"; exit 1; }

# Cargo separates RUSTFLAGS, which hold the profile's path, at spaces.
[[ $PWD != *" "* ]] || { echo "a release cannot be made in a folder with a space in its path: $PWD"; exit 1; }

work=$PWD/target/dist
out=$work/$version
rm -rf "$out" "$work/stage"
mkdir -p "$out" "$work/stage"
linux=x86_64-unknown-linux-gnu
windows=x86_64-pc-windows-gnu

step() { printf '\n== %s\n' "$*"; }

# build NAME TARGET FLAGS [ARGUMENTS OF cargo build …]: the program is $work/NAME, with .exe for Windows.
build() {
    local name=$1 target=$2 flags=$3
    shift 3
    RUSTFLAGS=$flags cargo build --profile dist --locked --target "$target" --target-dir "$work/build" "$@"
    local suffix=
    [ "$target" != $windows ] || suffix=.exe
    cp "$work/build/$target/dist/judkins$suffix" "$work/$name$suffix"
}

signature() { "$@" bench | tail -n 1 | tr -d '\r' | cut -d' ' -f1; }

# The first llvm-profdata that there is, newest first.
profdata() {
    local candidate
    for candidate in "$(rustc --print sysroot)"/lib/rustlib/*/bin/llvm-profdata llvm-profdata-{25..19}; do
        command -v "$candidate" && return
    done
    return 1
}

step "profile"
profile=
if merge=$(profdata); then
    rm -rf "$work/raw"
    CARGO_PROFILE_DIST_STRIP=none build judkins-profiled $linux "-C target-cpu=x86-64-v3 -C profile-generate=$work/raw"
    "$work/judkins-profiled" bench | tail -n 1
    "$work/judkins-profiled" mate --time 20 src/board/state/mates.txt | tail -n 1
    "$work/judkins-profiled" match --engine "cmd=$work/judkins-profiled,name=a" --engine "cmd=$work/judkins-profiled,name=b" \
        --each nodes=20000,option.USI_Hash=16 --games 20 --interval 100 | tail -n 1
    "$merge" merge -o "$work/profile.profdata" "$work/raw"
    profile="-C profile-use=$work/profile.profdata"
else
    echo "there is no llvm-profdata: the programs are built without a profile"
fi

programs=()
for level in x86-64 x86-64-v3; do
    step "Linux, $level"
    build "judkins-linux-${level/-/_}" $linux "-C target-cpu=$level -C target-feature=+crt-static $profile"
    programs+=("$work/judkins-linux-${level/-/_}")
done

step "Windows"
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
flags="-C target-cpu=x86-64 -C target-feature=+crt-static"
compiler=${WINDOWS_RUSTC:-/usr/bin/rustc}
exe=
if ! command -v $CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER >/dev/null; then
    echo "there is no mingw: apt-get install gcc-mingw-w64-x86-64-posix"
elif [ -d "$(rustc --print sysroot)/lib/rustlib/$windows" ]; then
    build judkins-windows $windows "$flags"
    exe=$work/judkins-windows.exe
elif [ -x "$compiler" ] && [ -d "$("$compiler" --print sysroot)/lib/rustlib/src/rust/library" ]; then
    RUSTC=$compiler RUSTC_BOOTSTRAP=1 build judkins-windows $windows "$flags" -Zbuild-std=std,panic_abort
    exe=$work/judkins-windows.exe
else
    echo "there is no standard library for $windows, nor its source: rustup target add $windows, or"
    echo "apt-get install rustc-web rust-web-src"
fi

step "bench signatures"
nodes=
for program in "${programs[@]}"; do
    seen=$(signature "$program")
    echo "$(basename "$program"): $seen nodes"
    [ "${nodes:=$seen}" = "$seen" ] || { echo "the programs do not search alike"; exit 1; }
done
if python3 -c 'import pyffish' 2>/dev/null; then
    step "legal moves against pyffish"
    python3 scripts/lab/legality.py --engine "${programs[0]}" --positions 2000 --seed 1
fi
step "start-up time and memory"
JUDKINS_PROGRAM=${programs[0]} cargo test --test integration -- --include-ignored cost::

committed=$(git log -100 --format=%B | sed -n 's/^Bench: \([0-9]*\)$/\1/p' | head -n 1)
[ "$nodes" = "$committed" ] || { echo "the last commit with a signature says $committed"; exit 1; }
if [ -n "$exe" ] && command -v wine >/dev/null; then
    # Wine before 9 lacks a library that every Windows since 10 has.
    mkdir -p "$work/wine"
    cp "$exe" "$work/wine/judkins.exe"
    cat >"$work/wine/prng.c" <<'END'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return SystemFunction036(data, (ULONG)length); }
END
    x86_64-w64-mingw32-gcc -shared -o "$work/wine/bcryptprimitives.dll" "$work/wine/prng.c" -ladvapi32
    seen=$(WINEDEBUG=-all signature wine "$work/wine/judkins.exe" 2>/dev/null)
    echo "judkins-windows.exe under wine: $seen nodes"
    [ "$nodes" = "$seen" ] || { echo "the program for Windows does not search alike"; exit 1; }
fi

step "packages"
manual=$work/stage/man
"${programs[0]}" man --out "$manual"
mkdir -p "$work/stage/completions"
"${programs[0]}" completions bash >"$work/stage/completions/judkins.bash"
"${programs[0]}" completions fish >"$work/stage/completions/judkins.fish"
"${programs[0]}" completions zsh >"$work/stage/completions/_judkins"
"${programs[0]}" completions powershell >"$work/stage/completions/judkins.ps1"
scripts/catalogues.sh "$work/stage/catalogues"
# In a folder of its own: an engine.toml beside the program would be read.
mkdir -p "$work/stage/doc"
documents | sort -u | xargs git archive HEAD | tar -x -C "$work/stage/doc"
for program in "${programs[@]}"; do
    name=judkins-$version-$(basename "$program" | sed 's/^judkins-//')
    mkdir -p "$work/stage/$name"
    cp "$program" "$work/stage/$name/judkins"
    cp -r "$work/stage/doc" "$manual" "$work/stage/completions" "$work/stage/catalogues" "$work/stage/$name"
    tar -C "$work/stage" --owner=0 --group=0 -czf "$out/$name.tar.gz" "$name"
done
if [ -n "$exe" ]; then
    name=judkins-$version-windows-x86_64
    mkdir -p "$work/stage/$name"
    cp "$exe" "$work/stage/$name/judkins.exe"
    cp -r "$work/stage/doc" "$work/stage/catalogues" "$work/stage/$name"
    cp "$work/stage/completions/judkins.ps1" "$work/stage/$name"
    (cd "$work/stage" && python3 -m zipfile -c "$out/$name.zip" "$name")
fi
cp "${programs[0]}" "$work/stage/judkins"
if cargo deb --version >/dev/null 2>&1; then
    cargo deb --no-build --no-strip --maintainer "$(git log -1 --format='%an <%ae>')" --deb-version "$version" --output "$out/judkins_${version}_amd64.deb"
else
    echo "there is no cargo-deb: cargo install cargo-deb"
fi

step "text"
previous=$(git describe --tags --abbrev=0 --match 'v*' --exclude "v$version" HEAD 2>/dev/null || true)
{
    echo "# judkins $version"
    echo
    echo "Bench: $nodes nodes. Built from commit $(git rev-parse --short=10 HEAD) with $(rustc --version)."
    echo
    if [ -n "$previous" ]; then
        echo "## Changes since ${previous#v}"
        echo
        git log --reverse --format='- %s' "$previous..HEAD"
    else
        echo "The first release."
    fi
} >"$out/RELEASE.md"
(cd "$out" && sha256sum -- judkins* >SHA256SUMS && cat SHA256SUMS)
ls -l "$out"
