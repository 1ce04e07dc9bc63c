#!/usr/bin/env bash
# Catalogue entries with which other programs know this engine without configuration. Writes into FOLDER:
#
#   scripts/catalogues.sh FOLDER [COMMAND]
#
#   judkins.eng          for XBoard, in /usr/share/games/plugins/xboard: joins the list of engines (-autoInstall)
#   judkins.xop          for XBoard, opened by a click or `xboard -opt judkins.xop`: the game, the engine, kanji pieces
#   engines.json         for Cute Chess, in ~/.config/cutechess, or as an entry of the file that is there
#   variants.ini         for Fairy-Stockfish and Fairyground: the game, where a version does not have it built in
#   variantsettings.txt  for Fairyground: the line of its list of games
#
# COMMAND starts the engine: judkins by default, as the Debian package installs it.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1
command=${2:-judkins}
mkdir -p "$folder"

# The file's age tells XBoard whether it has seen the engine before.
cat >"$folder/judkins.eng" <<END
plugin spec 0.0
$command
shogi,shogivariants,judkins
END

cat >"$folder/judkins.xop" <<END
-variant judkins
-fcp "$command"
-pieceImageDirectory "~~/themes/shogi"
-flipBlack true
-trueColors true
-boardSize 72
END

cat >"$folder/engines.json" <<END
[
    {
        "name": "judkins",
        "command": "$command",
        "workingDirectory": "",
        "stderrFile": "",
        "protocol": "uci",
        "variants": ["judkins"]
    }
]
END

cat >"$folder/variants.ini" <<'END'
[judkins:minishogi]
maxRank = 6
maxFile = f
shogiKnight = n
promotedPieceType = p:g n:g s:g b:h r:d
promotionRegionWhite = *5 *6
promotionRegionBlack = *2 *1
pieceToCharTable = PNBRSG...............++.++Kpnbrsg...............++.++k
startFen = rbnsgk/5p/6/6/P5/KGSNBR[-] w 0 1
END

cat >"$folder/variantsettings.txt" <<'END'
judkins|Shogi Variants|Judkins Shogi|6×6 Shogi with no lances.|https://en.wikipedia.org/wiki/Judkins_shogi
END
