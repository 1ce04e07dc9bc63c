#!/usr/bin/env bash
# Fits the evaluation's weights: plays games with the present build, and finds the weights that foretell them best.
#
#   scripts/fit.sh [GAMES] [RECORD …]
#
# GAMES (8000) are played at 5,000 against 4,000 nodes a move, some 1,000 a minute on two cores; further records are
# learned from too. Everything lies in target/fit; the same command goes on with a match that was stopped. In the end
# src/eval/fitted.rs holds the new weights. Whether they play better, `scripts/sprt.sh HEAD` says.
set -euo pipefail
cd "$(dirname "$0")/.."
games=${1:-8000}
[[ $games =~ ^[0-9]+$ ]] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
shift || true

cargo build --release
folder=target/fit
mkdir -p "$folder"
program=$folder/judkins-$(sha256sum target/release/judkins | cut -c1-10)
[ -x "$program" ] || cp target/release/judkins "$program"
record=$program.jsonl
"$program" match --engine "cmd=$program,name=more,nodes=5000" --engine "cmd=$program,name=less,nodes=4000" \
    --each option.USI_Hash=4 --games "$games" --concurrency "$(nproc)" --record "$record" --resume
"$program" fit "$record" "$@"
