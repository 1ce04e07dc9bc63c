#!/usr/bin/env bash
# Tests whether the work tree plays better than commit BASE. Builds BASE beside it, and has the two play until that is
# decided.
#
#   scripts/sprt.sh BASE [ARGUMENTS OF judkins match …]
#
# Arguments after BASE are added to the match's, for instance `--sprt elo0=-5 elo1=0`, `--games 20000`, or
# `--each nodes=20000,option.USI_Hash=16` for a change that costs no time. Everything lies in target/sprt: the same command
# goes on with a match that was stopped; a change of either program, or of the arguments, begins a new one. The openings,
# 40,000 of them, are made once and kept in JUDKINS_OPENINGS [~/.cache/judkins/openings-40000.txt].
set -euo pipefail
unset CARGO_TARGET_DIR
[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
# Files in the arguments are named from the current folder, so it stays.
root=$(realpath "$(dirname "$0")/..")
repository() { git -C "$root" "$@"; }
base=$(repository rev-parse --verify "$1^{commit}")
shift

folder=$root/target/sprt
mkdir -p "$folder"
old=$folder/judkins-${base:0:10}
if [ ! -x "$old" ]; then
    # Inside the repository, Cargo would add the work tree's configuration to BASE's.
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"; repository worktree prune' EXIT
    repository worktree add --detach "$tree" "$base" >/dev/null
    (cd "$tree" && cargo build --release --target-dir "$folder/build")
    rm -rf "$tree"
    repository worktree prune
    trap - EXIT
    cp "$folder/build/release/judkins" "$old.part"
    mv "$old.part" "$old"
fi
(cd "$root" && cargo build --release)
# A copy, so that the next build does not change a match that is still running.
hash=$(sha256sum "$root/target/release/judkins" | cut -c1-10)
new=$folder/judkins-new-$hash
cp "$root/target/release/judkins" "$new.part"
mv "$new.part" "$new"

has() {
    local wanted=$1 argument
    shift
    for argument in "$@"; do
        case $argument in "$wanted" | "$wanted="*) return 0 ;; esac
    done
    return 1
}
defaults=()
has --each "$@" || defaults+=(--each "tc=2+0.02,option.USI_Hash=16")
has --sprt "$@" || defaults+=(--sprt elo0=0 elo1=5)
has --games "$@" || defaults+=(--games 40000)
has --resign "$@" || defaults+=(--resign movecount=3 score=1000 twosided=true audit=5)
# Fixed nodes repeat games.
case "$*" in *nodes=*) has --node-jitter "$@" || defaults+=(--node-jitter 10) ;; esac
if ! has --openings "$@" && ! has --handicap "$@"; then
    openings=${JUDKINS_OPENINGS:-${XDG_CACHE_HOME:-$HOME/.cache}/judkins/openings-40000.txt}
    if [ ! -e "$openings" ]; then
        mkdir -p "$(dirname "$openings")"
        "$new" data openings --count 40000 --out "$openings"
    fi
    defaults+=(--openings "$openings")
fi
has --concurrency "$@" || defaults+=(--concurrency "$(nproc)")

# The arguments are part of the name: a record holds one match.
asked=$(printf '%s ' "${defaults[@]}" "$@" | sha256sum | cut -c1-6)
record=$folder/${base:0:10}-$hash-$asked.jsonl
echo "new is the work tree, base is $(repository log -1 --format='%h %s' "$base")"
echo "the games: $record"
"$new" match --engine "cmd=$new,name=new" --engine "cmd=$old,name=base" "${defaults[@]}" --record "$record" --resume "$@"
