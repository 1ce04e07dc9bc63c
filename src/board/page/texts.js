// The page's texts: `key: text` in English, then `=text` in each other language; below `[group]` a key is `group.key`. A
// placeholder is `{name}`, or `{name|text for 1|text for other numbers}`. Do not translate `notation`, `score.unit`,
// `piece.style` and `share.first`.

export default `
ranks: abcdef
=一二三四五六
comma: , 
=、
black: Black
=先手
white: White
=後手
lower: Black
=下手
upper: White
=上手
you: You
=あなた
event: Event
=棋戦
site: Place
=場所
date: Date
=日付
timeControl: Time control
=持ち時間
round: Round
=回戦
cancel: Cancel
=キャンセル
close: Close
=閉じる
seconds: {seconds}s
={seconds}秒
notation: western
=ja
plus: One more
=増やす
minus: One less
=減らす
owned: {side} {piece}
={side}の{piece}
verbatim: {text}
={text}
length: {moves|1 move|{moves} moves} ({plies|1 ply|{plies} plies})
={plies}手
[piece]
K: king
=玉
R: rook
=飛車
B: bishop
=角
G: gold
=金
S: silver
=銀
N: knight
=桂馬
P: pawn
=歩
+R: dragon
=竜
+B: horse
=馬
+S: promoted silver
=成銀
+N: promoted knight
=成桂
+P: tokin
=と金
style: guide
=kanji
[square]
selected: picked up
=選択中
target: can go here
=移動可
goal: marked
=印
[hand]
black: Black’s hand
=先手の持ち駒
white: White’s hand
=後手の持ち駒
piece: {piece} in hand, {count}
=持ち駒の{piece}、{count}枚
[tomove]
black: Black to move
=先手番
white: White to move
=後手番
[score]
unit: 100
=1
mate: M{moves}
={length}詰
mated: M{moves}
={length}で詰み
mate.words: {side} mates in {length}
={side}の勝ち、{length}詰
mated.words: {side} mates in {length}
={side}の勝ち、{length}で詰み
[say]
moves: {side}: {piece} from {from} to {square}
={side}、{square}{piece}、{from}から
drops: {side}: {piece} dropped on {square}
={side}、{square}{piece}打ち
takes: takes
=取る
promotes: promotes
=成り
check: check
=王手
[app]
title: judkins: a board for Judkins shogi
=judkins：ジャドケンス将棋盤
skip: To the board
=盤へ移動
[bar]
next: 日本語
=EN
main: Main actions
=主な操作
new: New game
=対局
open: Open
=開く
edit: Set up
=局面編集
problems: Problems
=詰将棋
lessons: Lessons
=入門
share: Share
=共有・保存
language: 日本語で表示
=EN: show in English
theme: Light or dark
=明暗を切り替え
menu: Menu
=メニュー
[tab]
moves: Moves
=棋譜
engine: Analysis
=検討
review: Review
=振り返り
games: Chapters
=章
bar: Panels
=表示の切り替え
explorer: Openings
=定跡
[nav]
label: Walk through the moves
=棋譜の移動
first: To the start (Home)
=最初へ（Home）
previous: Back one move (←)
=一手戻る（←）
next: Forward one move (→)
=一手進む（→）
last: To the end (End)
=最後へ（End）
flip: Turn the board (F)
=盤を反転（F）
[undo]
done: Undone.
=取り消しました。
[replace]
title: A game is being played
=対局中です
ask: This would end it.
=この操作で対局は終了します。
yes: End the game
=対局を終了する
no: Play on
=対局を続ける
done: Board replaced.
=置き換えました。
undo: Put back
=元に戻す
last: Previous board
=前の盤面
[connection]
lost: The board does not answer.
=プログラムに接続できません。
lost.do: This page tries again. If a program has ended, start it and open its address. The board is kept.
=自動で再接続します。終了した場合は起動し直し、表示されたアドレスを開いてください。盤面は保存済みです。
refused: The program was restarted: this page has its old address.
=プログラムが再起動され、このページのアドレスは無効になりました。
refused.do: Open the new one, printed in its terminal.
=judkins boardの端末に表示された新しいアドレスを開いてください。
back: Connected.
=接続しました。
broken: The board does not run.
=盤が動いていません。
broken.do: Reload the page. It needs https, a current browser and unblocked site data.
=再読み込みしてください。httpsと新しいブラウザ、サイトデータの許可が必要です。
[trouble]
lost: Not done: no connection.
=接続が切れており、実行できません。
version: The program is newer: reload.
=バージョンが異なります。再読み込みしてください。
[link]
ask: This link shows a position.
=リンクに局面があります。
askGame: This link shows a game.
=リンクに棋譜があります。
damaged: This link is damaged: copy the whole of it.
=リンクが壊れています。全体をコピーしてください。
open: Open it
=開く
[board]
label: Board. Arrow keys choose a square, Enter picks up and puts down.
=将棋盤。矢印キーでマスを選び、Enterで駒を持つ・置く。
section: Board
=将棋盤
[refused]
empty: Nothing stands on {square}.
={square}に駒はありません。
other: {side} to move: this is {owner}’s piece.
={side}番です。これは{owner}の駒です。
none: No {piece} in hand.
=持ち駒に{piece}はありません。
piece: the {piece} on {square}
={square}の{piece}
check: You are in check from {pieces}. This does not stop it.
={pieces}の王手です。これでは防げません。
pinned: Pinned: you would be in check from {pieces}.
=動かすと{pieces}に玉を取られます。
unsafe: The king would be in check from {pieces}.
={pieces}の利きがあり、玉はそこへ動けません。
trapped: The king has no safe square.
=玉が安全に動けるマスがありません。
nifu: You have an unpromoted pawn on that file (nifu).
=二歩です。
noPawn: You have an unpromoted pawn on every open file (nifu).
=どの筋も二歩になります。
pawnMate: A dropped pawn must not give mate.
=打ち歩詰めは反則です。
stuck: A {piece} there could never move.
={piece}はそこに打つと動けなくなります。
occupied: Pieces are dropped on empty squares.
=駒のあるマスには打てません。
own: Your own piece stands there.
=自分の駒があります。
blocked: Another piece is in the way.
=間に他の駒があります。
move: The {piece} does not move there.
={piece}はそこへ動けません。
nowhere: The {piece} has no square to go to.
={piece}の動けるマスがありません。
tried: Press “Try again” for another move.
=「もう一度」で別の手を試せます。
over: This problem is over.
=この問題は終わっています。
reply: The other side moves here.
=ここは相手の番です。
[promotion]
ask: Promote?
=成りますか
yes: Promote to {piece}
=成る（{piece}）
no: Stay {piece}
=不成（{piece}）
[plate]
won: won
=勝ち
toMove: to move
=手番
[clock]
label: {side}’s clock: {time}
={side}の持ち時間 {time}
[eval]
label: Chance to win
=勝率
words: {score}; Black wins with {win}
=評価値 {score}、先手勝率 {win}
[play]
planned: Next: {move}. Esc cancels.
=予約：{move}（Escで取消）
title: The game
=対局
yours: Your move
=あなたの番です
thinking: {name} is thinking…
={name}が考えています…
return: Back
=戻る
repetition: This position has come up {count} times; four end the game.
=同じ局面が{count}回目です。4回で千日手です。
impasse: After {plies|1 more ply|{plies} more plies} without capture or promotion, points decide: ▲ {black}, △ {white}; under 12 loses.
=駒取り・成りなしであと{plies}手進むと点数で決まります（▲{black}点、△{white}点。12点未満は負け）。
takeback: Take back
=待った
hint: Hint
=ヒント
resign: Resign
=投了
declare: Declare a win
=入玉宣言
stop: Stop playing
=対局中断
confirm: Sure?
=よろしいですか？
rematch: Rematch
=再戦
analyse: Analyse
=検討する
youwon: You won
=あなたの勝ち
youlost: You lost
=あなたの負け
draw: Draw
=引き分け
[series]
on: Game {number} of {games}
=第{number}局（全{games}局）
over: Series: {played} of {games} games
=連続対局：{games}局中{played}局終了
los: {name} is stronger: {los}
={name}の方が強い確率 {los}
[new]
opponent: Opponent
=対戦相手
opponent.engine: The computer
=エンジン
opponent.friend: A friend, here
=二人で
opponent.watch: Just watch
=観戦
engine: Engine
=エンジン
level: Level
=強さ
colour: You play
=あなたの手番
colour.black: ▲ Black
=▲先手
colour.white: △ White
=△後手
colour.random: Random
=振り駒
start: Start from
=手合割
even: Even game
=平手
position: The position set up
=編集した局面
handicap: White lacks these and moves first.
=上手（△）が駒を落とし、先に指します。
clock: Clock
=持ち時間
clock.none: None
=なし
clock.fast: Quick
=早指し
clock.calm: Calm
=じっくり
clock.none.note: Take all the time you like.
=時間を気にせず指せます。
clock.fast.note: 3 minutes, and 2 seconds per move.
=3分、1手ごとに2秒加算。
clock.calm.note: 10 minutes, then 30 seconds per move.
=10分、切れたら1手30秒。
clock.own: Other
=その他
main: Minutes
=持ち時間（分）
byoyomi: Byoyomi, s
=秒読み（秒）
increment: Added per move, s
=加算（秒）
time: Seconds per move
=1手の秒数
nodes: Nodes per move
=1手のノード数
depth: Depth
=深さ
limit: Limit
=制限
own: Set by the level
=強さに応じる
games: Games
=対局数
openings: Openings from the built-in list
=内蔵の序盤局面から
early: End games early
=早期判定
early.note: In centipawns and moves of each side; 0 is off.
=評価値は歩1枚で100、手数は片方ごと、0で無効。
resign: Lost at a score of −
=負けとする評価値 −
for: moves in a row
=続く手数
draw: Drawn within ±
=引き分けとする評価値 ±
drawFrom: from move
=判定開始の手数
longest: Drawn after move
=引き分けとする手数
more: More
=詳細
name: Your name
=お名前
impasse: When both kings have entered
=持将棋のルール
go: Start
=対局開始
[level]
elo: Elo {elo}
=レート{elo}
0: Good for a first game.
=はじめての対局に。
1: Takes unprotected pieces.
=ただで取れる駒は取ります。
2: Overlooks most threats.
=狙いの多くを見落とします。
3: Sees simple threats.
=単純な狙いは見えます。
4: Guards its pieces.
=駒をきちんと守ります。
5: Calculates short exchanges.
=短い駒の取り合いを読みます。
6: Punishes loose pieces.
=浮き駒を見逃しません。
7: A careful amateur.
=手堅いアマチュア。
8: Hard to beat; few slips.
=ミスの少ない強敵。
9: Beats nearly everybody.
=ほとんどの人に勝ちます。
10: Everything it has.
=手加減なしの全力。
up: Try level {level} next
=次はレベル{level}で
down: Level {level} may suit you
=レベル{level}がよさそうです
[typed]
label: Type a move
=指し手を入力
hint: Move…
=指し手…
[impasse]
Points12: Points: 12 needed
=点数法（12点）
Declaration: Declaration
=宣言法
Try: Try rule
=トライルール
None: Play on
=なし
[analysis]
switch: Analysis by {engine}
={engine}による検討
threats: Show threats (X)
=相手の狙いを表示（X）
lines: Lines
=候補手の数
off: off
=停止中
over: The game is over here.
=終局しています。
facts: depth {depth} · {nodes} nodes · {nps}/s
=深さ{depth} · {nodes}局面 · 毎秒{nps}
win: Black wins with {win}
=先手勝率{win}
[engines]
title: Engines
=エンジン設定
restart: Restart
=再起動
reset: All as they were
=すべて既定値に戻す
press: Do it
=実行
locked: Set where the program is started.
=起動時にのみ設定できます。
[engine]
idle: ready
=待機中
thinking: thinking
=思考中
starting: starting
=起動中
dead: This engine has stopped.
=エンジンが停止しました。
missing: The game goes on when the program is started with {program}.
={program}を指定して起動すると、対局が続きます。
says: {name}: {problem}
={name}：{problem}
noProcess: The engine does not start: {error}.
=エンジンを起動できません：{error}。
noStart: No answer to “{question}” within {seconds} s.
=エンジンが「{question}」に{seconds}秒以内に答えませんでした。
crashed: The engine {how}.
=エンジンが異常終了しました（{how}）。
closedOutput: The engine closed its output.
=エンジンが出力を閉じました。
hung: No answer within {time} ms, nor to stop.
={time}ミリ秒以内に応答せず、stopも無視しました。
outOfTime: The engine used {used} ms of {allowed}.
=エンジンが{used}ミリ秒使いました（許容{allowed}ミリ秒）。
flooded: The engine flooded its output.
=エンジンの出力が多すぎます。
unreadableMove: The engine answered ‘bestmove {word}’.
=エンジンの指し手を解釈できません（{word}）。
unaskedMove: The engine sent ‘bestmove {word}’ unasked.
=エンジンが要求されていない指し手を送りました（{word}）。
[tree]
empty: No moves yet. Play one, or open a game.
=指し手がありません。盤上で指すか、棋譜を開いてください。
end: end
=終局
[notes]
comment: A comment on this move
=この手へのコメント
marks: Marks
=評価記号
promote: Move this variation up
=この変化を上へ
mainline: Make this the main line
=この変化を本譜にする
deleted: Moves deleted.
=削除しました。
delete: Delete from this move on (Del)
=この手以降を削除（Del）
[mark]
□: Only move
=この一手
!!: Brilliant
=絶妙手
!: Good move
=好手
!?: Interesting
=勝負手
?!: Inaccuracy
=緩手
?: Mistake
=疑問手
??: Blunder
=悪手
[curve]
title: How it went
=形勢の推移
label: Curve of the game
=形勢グラフ
at: Move {ply}, {score}
={ply}手目、{score}
start: Start
=開始局面
[review]
start: Review this game
=この対局を振り返る
depth: How thoroughly
=解析の深さ
quick: quickly
=速く
normal: normally
=標準
deep: deeply
=深く
stop: Stop
=中止
left: {done} of {of}, {left} s left
={done} / {of}局面、残り{left}秒
accuracy: Accuracy
=正確さ
loss: Average loss
=平均損失
better: better: {moves}
=最善：{moves}
play: Play this line in
=この手順を盤に並べる
missed: missed mate in {length}
={length}詰を逃す
turning: turning point
=勝負の分かれ目
[learn]
count: {count} to try
={count}問
start: Learn from {side}’s mistakes ({count})
={side}のミスから学ぶ（{count}）
title: Learn from mistakes
=ミスから学ぶ
ask: {side} played {move} and lost {loss} of the chance to win. What is better?
={side}は{move}と指し、勝率が{loss}下がりました。より良い手は？
best: That is the best move.
=最善手です。
good: A good move: it loses {loss}. There is a better one.
=好手です（損失{loss}）。さらに良い手があります。
bad: This loses {loss} of the chance to win.
=この手では勝率が{loss}下がります。
judging: Looking at it…
=調べています…
answer: Best is {move} ({score}).
=最善は{move}（{score}）でした。
away: You are looking back.
=別の局面を見ています。
[games]
unread: Left out as unreadable: {count|1 game|{count} games}.
=読み込めない{count}局は含まれていません。
add: Add a chapter
=章を追加
here: This game
=この棋譜
position: From this position
=この局面から
start: From the start position
=初期局面から
up: Move up
=上へ
down: Move down
=下へ
deleted: Chapter deleted.
=章を削除しました。
untitled: Chapter {number}
=第{number}章
live: live
=中継中
count: {count|1 game|{count} games}
=全{count}局
filter: Find: title, player, result, date
=検索：題名・対局者・結果・日付
[reason]
checkmate: checkmate
=詰み
no-legal-move: no legal move
=合法手なし
sennichite: fourfold repetition
=千日手
perpetual-check: perpetual check
=連続王手の千日手
impasse: impasse
=持将棋
declaration: declaration
=入玉宣言
try: try
=トライ
proven: proven by search
=探索による証明
adjudicated-win: adjudicated win
=勝ち判定
move-limit: move limit
=最大手数
wrong-declaration: wrong declaration
=誤った入玉宣言
resignation: resignation
=投了
illegal-move: illegal move
=反則手
time: time is up
=時間切れ
hang: hang
=応答なし
crash: crash
=異常終了
no-start: no start
=起動失敗
closed-output: closed output
=出力停止
flood: flood
=出力過多
nonsense: nonsense
=解釈不能な応答
unasked-move: unasked move
=手番外の応答
adjudicated-draw: adjudicated draw
=引き分け判定
interrupted: interrupted
=中断
[problem]
unread: {count|Line {line} is|{count} lines, first line {line}, are} no mate problem.
={count}行は詰将棋として読めません（最初は{line}行目）。
title: Mate problems
=詰将棋
length: Length
=手数
plies: Mate in {moves} ({plies|1 ply|{plies} plies}): {count}
={length}詰（{count}）
playing: {side} to move: mate in {length}
={side}番、{length}詰
solved: Solved
=正解です
failed: Not this way
=不正解です
shown: The solution
=解答
next: Next
=次の問題
previous: The one before
=前の問題
retry: Try again
=もう一度
show: Solution
=解答を見る
load: Own problems
=問題集を開く
own: My own ({count})
=自分の問題（{count}）
remove: Delete this problem
=この問題を削除
leave: Leave
=終了
task: {side} mates in {length}.
={length}詰（{side}番）
mate: Checkmate.
=詰みです。
right: Right. Now mate in {length}.
=正解。あと{length}。
noCheck: Every move must give check.
=王手を続けてください。
refuted: After this reply there is no mate in time.
=この応手があり、決められた手数では詰みません。
solution: This is the solution.
=これが正解手順です。
[lessons]
list: All lessons
=レッスン一覧
added: {count|1 lesson|{count} lessons} added.
=レッスンを{count}件追加しました。
next: Go on
=次へ
right: Right!
=正解です！
complete: done
=完了
leave: Leave the lessons
=入門を終える
[lesson]
goOn: Right. Go on!
=正解。続けましょう！
noCheck: This is not a check.
=王手ではありません。
noPass: This gives check: the other side cannot wait.
=王手になり、相手は待てません。
mark: The marked square is the goal.
=印のマスが目標です。
far: From there it takes more than {left|one move|{left} moves}.
=そこからでは印に間に合いません（あと{left}手）。
flees: The king escapes to {square}.
=玉が{square}へ逃げます。
taken: Your piece on {square} is taken by the {piece}.
={square}の駒を{piece}に取られます。
blocked: The {piece} on {square} stops the check.
={square}の{piece}で王手を防がれます。
[solve]
start: Find a mate
=詰みを探す
title: Mate solver
=詰み探索
running: Looking for a mate…
=詰みを探しています…
nodes: Positions: {nodes}
={nodes}局面
mate: Mate in {length}
={length}詰
mateAtMost: Mate in {length} at most
={length}以内の詰み
none: There is no mate by checks.
=不詰です。
unknown: Undecided: the time is up, or it was stopped.
=不明です（時間切れ、または中止）。
unique: The solution is unique but for the last move.
=余詰はありません（最終手余詰を除く）。
cooked: The solution is not unique.
=余詰があります。
undecided: Its uniqueness is undecided.
=余詰の有無は不明です。
rivals: Other mates at move {number}: {moves}.
={number}手目は{moves}でも詰みます。
open: Undecided at move {number}: {moves}.
={number}手目の{moves}で詰むかどうかは不明です。
keep: Keep as a problem
=問題として保存
kept: Kept among your own problems.
=自分の問題に保存しました。
[welcome]
title: New here?
=はじめての方へ
learn: Learn the rules
=ルールを学ぶ
play: Play
=対局する
[editor]
title: Set up a position
=局面編集
how: Drag pieces, or choose one and press squares. Press twice to turn one over; drag it off to remove it.
=駒をドラッグするか、選んで盤に置きます。ダブルクリックで成・向きを変え、盤外で除きます。
move: Move pieces
=駒を動かす
erase: Take pieces off
=駒を取り除く
rest: the rest here
=残りをすべて加える
side: Who moves
=手番
lost: This position would be lost.
=この局面は失われます。
unread: This is not an SFEN.
=SFENとして読めません。
accepts: Each side has one king. In a mate problem, the side to move may lack it.
=玉は1枚ずつ置きます。詰将棋では手番側の玉を省けます。
kingless: {side}, to move, has no king: a mate problem. It can be solved and kept, not played.
=手番の{side}に玉がないので、詰将棋として解く・保存することができます。対局はできません。
starts: Load a position…
=局面を読み込む…
clear: Empty board
=駒をすべて外す
done: Use this position
=この局面にする
play: Play from here
=ここから対局
[open]
title: Open a game
=棋譜を開く
choose: Choose a file, or drop one on the page
=ファイルを選択（ドロップも可）
formats: KIF, KI2, PGN, USI, SFEN, a match’s games, lessons, mate problems
=KIF・KI2・PGN・USI・SFEN・エンジン対局の記録・レッスン・詰将棋
paste: Or paste it here
=または貼り付け
read: Read it
=読み込む
library: Games that are kept here
=保存されている棋譜
fresh: New study
=新しい研究
drop: Drop it to open it
=ここにドロップして開く
large: A file over 6 MB opens with “judkins board FILE”.
=6MBを超えるファイルは「judkins board ファイル名」で開けます。
unreadable: This file cannot be read.
=ファイルを読み込めませんでした。
[library]
title: Games
=棋譜一覧
find: Find: player, name, event, date
=検索：対局者、名前、棋戦、日付
result: Result
=結果
any: All results
=すべての結果
wins: {side} won
={side}勝ち
open: Not finished
=未終局
order: Sort by
=並べ替え
turn: Reverse order
=逆順
by.kept: Kept last
=保存順
by.date: Date
=日付
by.black: Black’s name
=先手の名前
by.white: White’s name
=後手の名前
by.result: Result
=結果
by.plies: Moves
=手数
here: With the position on the board
=盤上の局面を含む
back: The games before
=前の一覧
next: More games
=次の一覧
range: {first} to {last} of {count} games
={count}局中 {first}～{last}
selected: {count} chosen
={count}局を選択
select: Choose
=選択
all: Choose all
=すべて選択
deselect: Clear selection
=選択を解除
rename: Rename
=名前を変更
name: Name
=名前
delete: Delete
=削除
deleted: Games deleted.
=棋譜を削除しました。
bin: Deleted in the last 30 days
=削除済み（30日以内）
erase: Delete for good
=完全に削除
eraseAsk: These games cannot be restored.
=選んだ棋譜は元に戻せません。
export: Export
=書き出す
import: Add files
=ファイルを追加
imported: {count|1 game|{count} games} added.
={count}局を追加しました。
imported.known: {count|1 game|{count} games} added; {known} were here already.
={count}局を追加しました（{known}局は既にありました）。
imported.part: {count|1 game|{count} games} added, not all whole: {problem}
={count}局を追加しましたが、一部読み込めません。{problem}
none: No game is like this.
=該当する棋譜はありません。
empty: Games that you play, paste or change are kept here.
=指した対局、貼り付けた棋譜、変更した棋譜はここに残ります。
study: Study
=研究
playing: under way
=対局中
position: Position
=局面
plies: moves: {count}
={count}手
you: you: {side}
=あなた：{side}
[explorer]
none: Neither the book nor a game here has this position.
=この局面は定跡にも棋譜にもありません。
depth: depth {depth}
=深さ{depth}
plies: book for {plies|1 ply|{plies} plies}
=定跡{length}
file: in this file: {count}
=このファイル：{count}局
ends: Black won {black}, White won {white}, drawn {draws}
=先手{black}勝、後手{white}勝、引き分け{draws}
[share]
first: pgn
=kif
all: All chapters
=すべての章
title: Save and share
=共有・保存
format: Format
=形式
copy: Copy
=コピー
download: Download
=ダウンロード
copied: Copied.
=コピーしました。
nocopy: Not allowed by the browser: select the text.
=選択してコピーしてください。
position: This position (SFEN)
=この局面（SFEN）
sfen: Copy SFEN
=SFENをコピー
link: Copy link
=リンクをコピー
game: Copy link to the game
=棋譜のリンクをコピー
left: USI holds the main line, without variations, comments and marks.
=USI形式は本譜の指し手のみで、変化・コメント・評価記号は含みません。
page: Save as a page (HTML)
=再生ページ（HTML）を保存
pageNote: A file that replays the game and its review in any browser, offline.
=棋譜と振り返りを再生する一つのファイルです。ブラウザで、通信なしで開けます。
site: Site for links
=リンク先のサイト
siteNote: Others cannot open this address: give that of a site with this board, or send the page.
=このアドレスは他の人には開けません。この盤を公開しているサイトのアドレスを入力するか、再生ページを送ってください。
move: Move {ply}
={ply}手目
phone: On a phone in the same network
=同じネットワークのスマートフォンで開く
phoneOpen: Open this address. It is not encrypted: use it in a network that you trust.
=このアドレスを開きます。通信は暗号化されないので、信頼できるネットワークで使ってください。
phoneHow: Start “judkins board --listen ADDRESS” with this computer’s address: it shows a QR code.
=「judkins board --listen アドレス」（ネットワーク内でのこのパソコンのアドレス）で起動すると、QRコードが表示されます。
text: Copy as text
=図面をコピー
[header]
title: Players and event
=対局情報
keep: Save
=保存
[prefs]
title: Preferences
=表示設定
pieces: Pieces
=駒
coordinates: Coordinates
=座標
notation: Notation
=棋譜の表記
ja: Japanese
=日本式
western: Western
=西洋式
none: None
=なし
theme: Theme
=テーマ
auto: As the system
=自動
light: Light
=ライト
dark: Dark
=ダーク
board: Board
=盤
wood: Wood
=木
walnut: Dark wood
=濃い木
green: Green
=緑
blue: Blue
=青
volume: Sounds (0: none)
=効果音（0で消音）
arrows: Arrows for the best moves
=最善手の矢印
evalBar: Evaluation bar
=形勢バー
[pieces]
kanji: One character
=一字駒
kanji2: Two characters
=二字駒
guide: With moves
=動き付き
western: Letters
=英字
pictures: Pictures
=絵
[keys]
title: Help
=ヘルプ
rules: Pieces move as their dots and arrows show, and promote on the two farthest ranks. Captured pieces may be dropped. Checkmate wins. The lessons say more.
=駒の動き、成り、持ち駒、反則は将棋と同じです。敵陣は奥の2段です。玉を詰ませば勝ちです。
walk: back and forward
=戻る・進む
ends: start and end
=最初・最後
siblings: other variation
=別の変化
flip: turn the board
=盤を反転
square: choose a square
=マスを選ぶ
pick: pick up, put down
=持つ・置く
hand: take from hand
=持ち駒を選ぶ
promotion: promote, or not
=成・不成
draw: draw an arrow or a circle (also right button or long press; Shift, Alt: colour)
=矢印・丸を描く（右ボタン・長押しでも可。Shift・Altで色が変わる）
cancel: put back
=取り消し
analyse: on or off
=開始・停止
best: play the best move
=最善手を指す
threats: threats
=相手の狙い
delete: delete from here on
=この手以降を削除
undo: undo the last edit
=直前の編集を取り消す
[end]
won: {winner} wins
={winner}の勝ち
won.why: {winner} wins: {why}
={winner}の勝ち（{why}）
drawn: Draw
=引き分け
drawn.why: Draw: {why}
=引き分け（{why}）
points: {reason}, {black} points to {white}
={reason}、{black}点対{white}点
[record]
problem: line {line}, column {column}: {message}
={line}行{column}桁目に誤りがあります（{message}）
cut: {games}: {problem}
={games}：{problem}
unknownFormat: not KIF, KI2, PGN, USI, SFEN or a match record
=形式が分かりません。KIF・KI2・PGN・USI・SFENか、エンジン対局の記録を指定してください。
io: it cannot be read ({error})
=読み取りに失敗しました（{error}）
none: there is none
=棋譜が見つかりません。
partial: Read in part. {problem}
=一部のみ読み込みました。{problem}
[invalid]
noKing: {side} has no king.
={side}の玉がありません。
secondKing: {side} has a second king on {square}.
={side}の玉が{square}にもあります。
tooMany: {piece}: there are {count}, but the game has 2.
={piece}が{count}枚あります。2枚までです。
nifu: {side} has two pawns on file {file}.
={side}の歩が{file}筋に2枚あります（二歩）。
deadPiece: {side}’s {piece} on {square} could never move.
={square}の{side}の{piece}は動けません。
inCheck: {side} is not to move, but its king on {square} is in check from {checker}.
=手番でない{side}の{square}の玉に王手がかかっています。
[storage]
none: The board is not kept for the next start: {why}.
=盤面は保存されません。{why}
session: The last board could not be restored: {why}.
=前回の盤面を読み込めません。{why}
library: Games are not kept in the library: {why}.
=棋譜一覧に保存できません。{why}
earlier: Some earlier games could not be restored: {why}.
=これまでの対局の一部を読み込めません。{why}
[file]
partial: The file is not written: {problem}
=ファイルに誤りがあるため、上書きしません：{problem}
changed: Another program changed {path}: it is no longer written. Save a copy.
={path}は他のプログラムが変更したため、上書きしません。別に保存してください。
[option]
none: The engine has no such option.
=エンジンにその設定はありません。
locked: {name} is set on the command line only: --engine cmd=…,option.{name}=…
={name}はコマンドラインでのみ設定できます：--engine cmd=…,option.{name}=…
value: {name} does not take this value.
={name}にその値は設定できません。
[handicap]
bishop: Bishop
=角落ち
rook: Rook
=飛車落ち
two-pieces: Two pieces
=二枚落ち
[error]
bad-clock: A clock has more than 0 and less than 24 hours.
=持ち時間が正しくありません。
bad-date: A date looks like 2024-05-01.
=日付は2024-05-01のように書いてください。
bad-file: {name} is not a text.
={name}はテキストではありません。
bad-format: It cannot be written: {error}.
=書き出せません：{error}
bad-lessons: No lessons can be read: {error}
=レッスンとして読めません：{error}
bad-message: The message cannot be read: {error}
=読めないメッセージです：{error}
bad-record: No game can be read: {problem}
=棋譜を読み込めません。{problem}
bad-sfen: This is not an SFEN: {error}
=SFENとして読めません：{error}
game-gone: This game is not there any more.
=その対局はもうありません。
game-over: The game is over.
=対局は終わっています。
illegal-move: {move} is not a legal move here.
={move}は合法手ではありません。
in-game: A game is being played.
=対局中です。
in-problem: A problem is on the board.
=問題が出ています。
in-review: The game is being reviewed.
=解析中です。
no-move: “{move}” is not a move: type P-6d, 6e6d or ６四歩.
=「{move}」は指し手として読めません。例：６四歩、P-6d、6e6d
ambiguous-move: “{move}” may be several moves: add the origin, and + or =.
=「{move}」は複数の手に当てはまります。元のマスや成・不成を書いてください。
library: The library cannot be used: {why}.
=棋譜一覧を使えません。{why}
no-answer: The engine has no answer.
=エンジンから応答がありません。
no-declaration: Nothing can be declared under this impasse rule.
=この規定では宣言できません。
no-hint: There is no hint here.
=この局面ではヒントを出せません。
no-mate-problems: No mate problem in this file: each line is an SFEN whose side to move mates.
=詰将棋がありません。1行に1局面をSFENで書いてください。
no-moves: There is no move to review.
=解析する手がありません。
no-page: The files of this page cannot be fetched.
=このページのファイルを取得できません。
no-player: Only engines are playing.
=エンジン同士の対局です。
no-such-node: That move is not there any more.
=その手はもうありません。
not-your-turn: It is not your turn.
=あなたの手番ではありません。
no-choice: There is no such choice.
=その選択肢はありません。
gone: That is over already.
=もう終わっています。
nothing-to-undo: There is nothing to undo.
=元に戻せるものはありません。
nothing-to-take-back: There is no move to take back.
=待ったできる手がありません。
too-many-problems: No more problems fit in your set: delete some.
=自分の問題がいっぱいです。いくつか削除してください。
wrong-move: Not this move.
=その手ではありません。
unreadable-game: This game cannot be read: {problem}
=この棋譜は読めません。{problem}
too-long: This is too long.
=長すぎます。
`;
