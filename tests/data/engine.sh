#!/bin/sh
# A USI engine for the tests of `judkins match`: it does what its first argument says.
#
#   fair             moves its rook to and fro, so that two of them end in sennichite after 12 plies
#   line MOVES       plays the moves of a whole game, for either side; resigns when they are used up
#   log FILE         as fair, and writes every line that it reads to a file
#   uci FILE         the same in UCI
#   upper FILE       as log, with the impasse rule in capitals
#   slow             as fair, after a moment
#   lines            as fair, with several lines and bounds before its moves
#   dead             ends at its first move
#   once FILE        the same, if there is no such file; makes it
#   over             as fair, and ends after a game
#   babble           answers with what is not a move
#   fussy            reports an error in the manner of judkins when its Level is set
#   sour FILE        reports one if there is such a file; makes it
#   wordy            says something of errors that is none
#   threads          as fair, and has the option Threads
#   anything else    as fair, but misbehaves at its second move, or at the start
set -f
manner=$1
line=$2
mine=0

# The move for the position: an even number of moves was played before Black's.
shuffle() {
    case $(($1 % 2))$((mine % 2)) in
    00) echo "1f1e" ;;
    01) echo "1e1f" ;;
    10) echo "6a6b" ;;
    11) echo "6b6a" ;;
    esac
}

nth() {
    shift "$1"
    echo "${2:-resign}"
}

answer() {
    case $manner in
    dead) echo "no weights" >&2; exit 4 ;;
    once) [ -e "$line" ] || { : >"$line"; exit 4; } ;;
    babble) echo "bestmove (none)"; return ;;
    esac
    move=$(shuffle "$1")
    # UCI counts files from the other side, and ranks from below.
    [ "$manner" = uci ] && move=$(echo "$move" | tr 654321abcdef abcdef654321)
    mine=$((mine + 1))
    if [ "$manner" = line ]; then
        echo "bestmove $(nth "$1" $line)"
        return
    fi
    [ "$manner" = slow ] && sleep 0.02
    if [ "$manner" = lines ]; then
        echo "info depth 2 multipv 1 score cp 50 nodes 60 pv $move"
        echo "info depth 3 score cp 90 lowerbound nodes 80 pv $move"
        echo "info nodes 90 nps 1000"
        echo "info depth 4 multipv 2 score cp -400 nodes 999 pv $move"
        echo "bestmove $move"
        return
    fi
    if [ $mine -ne 2 ]; then
        echo "info depth 3 score cp 20 nodes 100 pv $move"
        echo "bestmove $move"
        return
    fi
    case $manner in
    crash) kill -SEGV $$ ;;
    exit) exit 3 ;;
    stall) sleep 98701 & wait ;;
    orphan) setsid sleep 98702 & sleep 98702 ;;
    parent) setsid sleep 98708 & kill -SEGV $$ ;;
    stubborn) trap '' TERM INT HUP; while :; do sleep 98703; done ;;
    forever) while :; do sleep 98709; done ;;
    cheat) echo "bestmove 6e6c" ;;
    flood) while :; do echo "info string $line"; done ;;
    endless) tr '\0' x </dev/zero ;;
    twice) echo "bestmove $move"; echo "bestmove $move" ;;
    late) sleep 1.5; echo "bestmove $move" ;;
    half) printf 'bestmo'; sleep 98704 ;;
    cut) printf 'bestmove 1e'; exit 0 ;;
    close) exec >&-; sleep 98705 ;;
    nonsense) echo "bestmove banana" ;;
    binary) printf 'bestmove \377\000\376\n' ;;
    empty) echo "bestmove" ;;
    declare) echo "bestmove win" ;;
    resign) echo "bestmove resign" ;;
    chat)
        echo "hello"
        printf '\377\376\n\n'
        # Lines of many moves are long.
        head -c 30000 /dev/zero | tr '\0' x
        echo
        echo "bestmove $move"
        ;;
    deaf)
        # Never reads again, and answers all the same.
        while :; do echo "bestmove $move"; done ;;
    *) echo "bestmove $move" ;;
    esac
}

case $manner in
gone) exit 1 ;;
mute) sleep 98706 ;;
esac

while read -r command rest; do
    case $manner in log | uci | upper) echo "$command${rest:+ $rest}" >>"$line" ;; esac
    case $command in
    usi | uci)
        echo "id name scripted $manner"
        echo "id author the tests"
        echo "option name Level type spin default 1 min 0 max 9"
        echo "option name Style type combo default Solid var Solid var Very Risky"
        rule="ImpasseRule type combo default Points12 var Points12 var Try var Declaration"
        [ "$manner" = upper ] && rule="IMPASSERULE type combo default POINTS12 var POINTS12 var TRY"
        echo "option name $rule"
        echo "option name Bold type check default false"
        echo "option name Clear It type button"
        [ "$manner" = threads ] && echo "option name Threads type spin default 1 min 1 max 100000"
        echo "${command}ok"
        ;;
    isready)
        [ "$manner" = unready ] && sleep 98707
        if [ "$manner" = sour ]; then
            [ -e "$line" ] && echo "info string error: it is too late for that"
            : >"$line"
        fi
        echo "readyok"
        ;;
    setoption)
        case $manner,$rest in
        fussy,*Level*) echo "info string error: Level: not this one" ;;
        wordy,*)
            echo "info string Error handling is on"
            echo "info string no error: $rest"
            echo "error: $rest"
            ;;
        esac
        ;;
    usinewgame | ucinewgame) mine=0 ;;
    gameover) [ "$manner" = over ] && exit 0 ;;
    position)
        set -- $rest
        while [ $# -gt 0 ] && [ "$1" != moves ]; do shift; done
        [ $# -gt 0 ] && shift
        played=$#
        ;;
    go) answer "$played" ;;
    quit) exit 0 ;;
    esac
done
