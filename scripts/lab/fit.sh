#!/usr/bin/env bash
# Fits the evaluation's weights: plays games with the present build, and finds the weights that predict them best.
#
#   scripts/lab/fit.sh [GAMES] [RECORD …]
#
# GAMES (8000) are played at 5,000 against 4,000 nodes a move, some 1,000 a minute on two cores; further records are
# learned from too. Everything lies in target/fit; the same command goes on with a match that was stopped. In the end
# src/eval/handwritten/fitted.rs holds the new weights, with which another run plays. Whether they play better:
# `scripts/sprt.sh HEAD --each tc=2+0.02,option.USI_Hash=16,option.Evaluation=Handwritten`.
set -euo pipefail
games=${1:-8000}
[[ $games =~ ^[0-9]+$ ]] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
shift || true
# They are named from where the command was typed, and one that is missing is better missed before the games.
others=()
for record; do others+=("$(realpath -e "$record")"); done
cd "$(dirname "$0")/../.."
unset CARGO_TARGET_DIR

cargo build --release
folder=target/fit
mkdir -p "$folder"
program=$folder/judkins-$(sha256sum target/release/judkins | cut -c1-10)
cp target/release/judkins "$program.part"
mv "$program.part" "$program"
record=$program.jsonl
"$program" match --engine "cmd=$program,name=more,nodes=5000" --engine "cmd=$program,name=less,nodes=4000" \
    --each option.USI_Hash=4,option.Evaluation=Handwritten --games "$games" --concurrency "$(nproc)" --record "$record" --resume
# With new weights the build could not continue an incomplete match.
[ "$(wc -l <"$record")" -ge "$games" ] || { echo "Not all games are played: the same command goes on."; exit 1; }
"$program" fit "$record" "${others[@]}"
