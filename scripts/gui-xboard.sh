#!/usr/bin/env bash
# A game in a real window: XBoard under Xvfb, judkins against Debian's sjaakii, to its end.
#
#   scripts/gui-xboard.sh [FOLDER]
#
# Leaves the game (game.pgn), XBoard's log of what was said (debug.txt) and pictures of the board (middle.png, end.png) in
# FOLDER, target/gui by default. Fails unless a whole game was played that both programs and XBoard agree on. Needs Debian's
# xboard, xvfb, sjaakii and imagemagick. ENGINE is another program than the release build, SECONDS_A_MOVE (1 to 9) another
# speed, LIMIT the most seconds (600).
set -euo pipefail
here=$(realpath "$(dirname "$0")/..")
PATH=$PATH:/usr/games
folder=${1:-$here/target/gui}
engine=$(realpath -m "${ENGINE:-$here/target/release/judkins}")
for program in xboard Xvfb sjaakii import; do
    command -v "$program" >/dev/null || { echo "there is no $program here (apt-get install xboard xvfb sjaakii imagemagick)"; exit 1; }
done
[ -x "$engine" ] || { echo "there is no $engine: cargo build --release"; exit 1; }
mkdir -p "$folder"
folder=$(realpath "$folder")
rm -f "$folder"/{game.pgn,debug.txt,middle.png,end.png}

# A display of our own, whose number Xvfb chooses.
coproc XVFB { exec Xvfb -displayfd 1 -screen 0 800x600x24 -nolisten tcp; }
# shellcheck disable=SC2153 # coproc sets it.
display=$XVFB_PID
trap 'kill $display 2>/dev/null || true' EXIT
read -r number <&"${XVFB[0]}" || { echo "Xvfb did not start"; exit 1; }
export DISPLAY=:$number

# XBoard looks for its own settings at home: give it an empty one.
HOME=$(mktemp -d)
export HOME
xboard -variant judkins -fcp "\"$engine\"" -scp sjaakii -fn judkins -sn sjaakii \
    -matchGames 1 -searchTime "0:0${SECONDS_A_MOVE:-1}" -soundProgram true -ponderNextMove false \
    -pieceImageDirectory '~~/themes/shogi' -flipBlack true -trueColors true -boardSize 72 \
    -animateMoving false -popupExitMessage true -popupMoveErrors false -showThinking true \
    -saveGameFile "$folder/game.pgn" -debugMode true -nameOfDebugFile "$folder/debug.txt" &
xboard=$!
trap 'kill $xboard 2>/dev/null; wait $xboard || true; kill $display 2>/dev/null || true; rm -rf "$HOME"' EXIT

moves() { grep -cE '^[0-9]+ <(first|second)\s*: move ' "$folder/debug.txt" 2>/dev/null || true; }
end=$((SECONDS + ${LIMIT:-600}))
while kill -0 $xboard 2>/dev/null; do
    [ $SECONDS -lt $end ] || { echo "the game did not end in ${LIMIT:-600} s"; exit 1; }
    [ -s "$folder/debug.txt" ] && grep -q "Illegal move" "$folder/debug.txt" && { echo "an illegal move:"; grep "Illegal move" "$folder/debug.txt"; exit 1; }
    played=$(moves)
    if [ ! -e "$folder/middle.png" ] && [ "${played:-0}" -ge 12 ]; then
        import -window root "$folder/middle.png"
    fi
    if grep -q '^\[Result "[^*]' "$folder/game.pgn" 2>/dev/null; then
        sleep 0.5
        import -window root "$folder/end.png"
        break
    fi
    sleep 0.2
done

result=$(sed -n 's/^\[Result "\(.*\)"\]$/\1/p' "$folder/game.pgn")
comment=$(grep -o '^{[^}]*}' "$folder/game.pgn" | tail -n 1)
moves=$(sed -nE 's/^[0-9]+ <(first |second)\s*: move (\S+).*/\2/p' "$folder/debug.txt" | tr '\n' ' ')
echo "XBoard: $result $comment after $(wc -w <<<"$moves") moves"

# judkins itself must agree: all moves are legal, and the game ends in the same way.
verdict=$(printf 'uci\nposition startpos moves %s\nd\nquit\n' "$moves" | "$engine" | grep -E '^The game is over|info string error|^Legal moves' || true)
echo "judkins: $verdict"
case "$result $verdict" in
    "1-0 The game is over. Black wins"* | "0-1 The game is over. White wins"* | "1/2-1/2 The game is over. no contest"*) ;;
    *) echo "that is not a whole game on which both agree"; exit 1 ;;
esac
