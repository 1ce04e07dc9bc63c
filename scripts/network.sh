#!/usr/bin/env bash
# Makes a network from scratch: self-play, training, and a match against the previous evaluation.
#
#   scripts/network.sh [--tiny] [FOLDER]
#
# It all takes two minutes on two cores and makes a small network, but it is the way in which the strong one was made: with
# more of everything (GAMES, NODES, EPOCHS, MATCH below; src/eval/nnue/making.md has the figures). The
# first games are evaluated by hand-written terms. The next generation needs a folder of its own:
# `EVALUATION=target/network/training/network.net scripts/network.sh target/second`. --tiny only shows that every part works.
# The same command goes on with what was stopped. JUDKINS names another program than the release build.
set -euo pipefail
games=${GAMES:-60} nodes=${NODES:-200} epochs=${EPOCHS:-10} match=${MATCH:-100}
if [ "${1:-}" = --tiny ]; then
    games=1 nodes=20 epochs=2 match=4
    shift
fi
case ${1:-} in -*) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2 ;; esac
folder=$(realpath -m "${1:-$(dirname "$0")/../target/network}")
evaluation=${EVALUATION:-handwritten}
[ "$evaluation" = handwritten ] || evaluation=$(realpath -e "$evaluation")
judkins=${JUDKINS:+$(realpath -e "$JUDKINS")}
cd "$(dirname "$0")/.."
unset CARGO_TARGET_DIR

[ -n "${JUDKINS:-}" ] || cargo build --release
judkins=${judkins:-target/release/judkins}
step() { printf '\n== %s\n' "$*"; }

step "games of self-play: $games shards of 500, $nodes nodes a move, evaluation: $evaluation"
"$judkins" datagen --out "$folder/games" --shards "$games" --games 500 --nodes "$nodes" --evaluation "$evaluation"

step "training: $epochs epochs"
resume=
[ ! -e "$folder/training/checkpoint" ] || resume=--resume
"$judkins" train "$folder/games" --out "$folder/training" --epochs "$epochs" --batch 2048 $resume
"$judkins" net info "$folder/training/network.net"

before=option.Evaluation=Handwritten
[ "$evaluation" = handwritten ] || before=option.EvalFile=$evaluation
step "the network against the evaluation before, $match games at 2,000 nodes a move"
"$judkins" match --engine "cmd=$judkins,name=network,option.EvalFile=$folder/training/network.net" \
    --engine "cmd=$judkins,name=before,$before" \
    --each nodes=2000,option.USI_Hash=16 --games "$match" --concurrency "$(nproc)"
