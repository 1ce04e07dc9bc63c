// Every text of the page, in both languages.

/**
 * A line is `key: English|Japanese`; an indented one belongs to the group above, as `group.key`.
 */
const TEXTS = readTexts(`
black: Black|先手
white: White|後手
you: You|あなた
event: Event|棋戦
site: Place|場所
date: Date|日付
timeControl: Time control|持ち時間
round: Round|回戦
cancel: Cancel|キャンセル
close: Close|閉じる
plus: One more|増やす
minus: One less|減らす
piece
	K: king|玉
	R: rook|飛車
	B: bishop|角
	G: gold|金
	S: silver|銀
	N: knight|桂馬
	P: pawn|歩
	+R: dragon|竜
	+B: horse|馬
	+S: promoted silver|成銀
	+N: promoted knight|成桂
	+P: tokin|と金
owned: {side} {piece}|{side}の{piece}
square
	selected: picked up|選択中
	target: can go here|移動可
hand
	black: Black’s hand|先手の持ち駒
	white: White’s hand|後手の持ち駒
	piece: {piece} in hand, {count}|持ち駒の{piece}、{count}枚
tomove
	black: Black to move|先手番
	white: White to move|後手番
score
	mate.black: +M{plies}|▲{plies}手詰
	mate.white: −M{plies}|△{plies}手詰
say
	moves: {side}: {piece} to {square}|{side}、{square}{piece}
	drop: dropped|打ち
	takes: takes|取る
	promotes: promotes|成り
	check: check|王手
app
	title: judkins: a board for Judkins shogi|judkins：ジャドケンス将棋盤
	skip: To the board|盤へ移動
bar
	main: Main actions|主な操作
	new: New game|対局
	open: Open|開く
	edit: Set up|局面編集
	problems: Problems|詰将棋
	share: Share|共有・保存
	language: 日本語で表示|Show in English
	theme: Light or dark|明暗を切り替え
	menu: Menu|メニュー
tab
	moves: Moves|棋譜
	engine: Analysis|検討
	review: Review|振り返り
	games: Games|対局一覧
	bar: Panels|表示の切り替え
nav
	label: Walk through the moves|棋譜の移動
	first: To the start (Home)|最初へ（Home）
	previous: Back one move (←)|一手戻る（←）
	next: Forward one move (→)|一手進む（→）
	last: To the end (End)|最後へ（End）
	flip: Turn the board (F)|盤を反転（F）
replace
	title: A game is being played|対局中です
	ask: This would end it.|この操作で対局は終了します。
	yes: End the game|対局を終了する
	no: Play on|対局を続ける
	done: Board replaced.|置き換えました。
	undo: Put back|元に戻す
connection
	lost: The program does not answer.|プログラムに接続できません。
	lost.do: This page tries again by itself. Has the program ended? Start it, and open the address that it prints. What is on the board is kept.|自動で再接続しています。終了した場合は起動し直し、表示されたアドレスを開いてください。盤面は保存されています。
	refused: The program was started again: this page has its old address.|プログラムが再起動され、このページのアドレスは無効になりました。
	refused.do: Open the new one, which judkins board has printed in its terminal. Then this page works again, too.|judkins boardの端末に表示された新しいアドレスを開いてください。その後、このページも再び使えます。
	back: Connected again.|再接続しました。
	broken: The board does not start.|盤を起動できません。
	broken.do: Reload the page. This needs a current browser with WebAssembly.|再読み込みしてください。WebAssemblyに対応した新しいブラウザが必要です。
trouble
	lost: Not done: the program is away.|接続が切れており、実行できません。
	version: The program is newer: reload.|版が異なります。再読み込みしてください。
link
	ask: This link shows a position.|リンクに局面があります。
	askGame: This link shows a game.|リンクに棋譜があります。
	damaged: This link is damaged: copy the whole of it.|リンクが壊れています。全体をコピーしてください。
	open: Open it|開く
board
	label: Board. Arrow keys choose a square, Enter picks up and puts down.|将棋盤。矢印キーでマスを選び、Enterで駒を持つ・置く。
	section: Board|将棋盤
refused
	other: {side} to move: this is {owner}’s piece.|{side}番です。これは{owner}の駒です。
	none: No {piece} in hand.|持ち駒に{piece}はありません。
	piece: the {piece} on {square}|{square}の{piece}
	check: You are in check from {pieces}. This does not stop it.|{pieces}の王手です。これでは防げません。
	pinned: Pinned: you would be in check from {pieces}.|動かすと{pieces}に玉を取られます。
	unsafe: The king would be in check from {pieces}.|{pieces}の利きがあり、玉は動けません。
	trapped: The king has no safe square.|玉が安全に動けるマスがありません。
	nifu: You have an unpromoted pawn on that file (nifu).|二歩です。
	noPawn: You have an unpromoted pawn on every open file (nifu).|どの筋も二歩になります。
	pawnMate: A dropped pawn must not give mate.|打ち歩詰めは反則です。
	stuck: A {piece} there could never move.|{piece}はそこに打つと動けなくなります。
	occupied: Pieces are dropped on empty squares.|駒のあるマスには打てません。
	own: Your own piece stands there.|自分の駒があります。
	blocked: Another piece is in the way.|間に他の駒があります。
	move: The {piece} does not move there.|{piece}はそこへ動けません。
	nowhere: The {piece} has no square to go to.|{piece}の動けるマスがありません。
	tried: Press “Try again” for another move.|「もう一度」で別の手を試せます。
	over: This problem is over.|この問題は終わっています。
	reply: The other side moves here.|ここは相手の番です。
promotion
	ask: Promote?|成りますか
	yes: Promote to {piece}|成る（{piece}）
	no: Stay {piece}|不成（{piece}）
plate
	engine: {name}, level {level}|{name} レベル{level}
	won: won|勝ち
clock
	label: {side}’s clock: {time}|{side}の持ち時間 {time}
eval
	label: Chance to win|勝率
	words: {score}; Black wins with {win}|評価値 {score}、先手勝率 {win}
play
	title: The game|対局
	yours: Your move|あなたの番です
	thinking: {name} is thinking…|{name}が考えています…
	return: Back|戻る
	repetition: This position has come up {count} times; four end the game.|同じ局面が{count}回目です。4回で千日手です。
	takeback: Take back|待った
	hint: Hint|ヒント
	resign: Resign|投了
	declare: Declare a win|入玉宣言
	stop: Stop the game|対局中断
	sure: Sure?|本当に？
	rematch: Rematch|再戦
	analyse: Look it over|検討する
	youwon: You won|あなたの勝ち
	youlost: You lost|あなたの負け
	draw: Draw|引き分け
new
	opponent: Opponent|対戦相手
	opponent.engine: The computer|エンジン
	opponent.friend: A friend, here|二人で
	opponent.watch: Just watch|観戦
	engine: Engine|エンジン
	level: Level|強さ
	colour: You play|あなたの手番
	colour.black: ▲ Black|▲先手
	colour.white: △ White|△後手
	colour.random: Either|おまかせ
	start: Start from|手合割
	even: Even game|平手
	position: The position set up|編集した局面
	handicap: White lacks these and moves first.|上手（△）が駒を落とし、先に指します。
	clock: Clock|持ち時間
	clock.none: None|なし
	clock.fast: Quick|早指し
	clock.calm: Calm|じっくり
	clock.none.note: Take all the time you like.|時間を気にせず指せます。
	clock.fast.note: 3 minutes, and 2 seconds per move.|3分、1手ごとに2秒加算。
	clock.calm.note: 10 minutes, then 30 seconds per move.|10分、切れたら1手30秒。
	clock.own: Other|その他
	main: Minutes|持ち時間（分）
	byoyomi: Byoyomi, s|秒読み（秒）
	increment: Added per move, s|加算（秒）
	more: More|詳細
	name: Your name|お名前
	impasse: When both kings have entered|持将棋のルール
	go: Start|対局開始
level
	first: Good for a first game.|入門。はじめての対局に。
	novice: Sees simple captures, overlooks much.|初級。単純な駒得は逃しません。
	club: A careful amateur.|中級。手堅いアマチュア。
	strong: Hard to beat; punishes slips.|上級。ミスは見逃しません。
	expert: Beats nearly everybody.|高段。ほとんどの人に勝ちます。
	full: Everything it has.|全力。手加減なし。
impasse
	Points12: Points: 12 needed|点数法（12点）
	Declaration: Declaration|宣言法
	Try: Try rule|トライルール
	None: Play on|なし
analysis
	switch: Analysis by {engine}|{engine}による検討
	threats: Show threats (X)|相手の狙いを表示（X）
	lines: Lines|候補手の数
	off: off|停止中
	over: The game is over here.|終局しています。
	facts: depth {depth} · {nodes} nodes · {nps}/s|深さ{depth} · {nodes}局面 · 毎秒{nps}
	win: Black wins with {win}|先手勝率{win}
engines
	title: Engines|エンジン設定
	restart: Restart|再起動
	reset: All as they were|すべて既定値に戻す
	press: Do it|実行
	locked: Set where the program is started.|起動時にのみ設定できます。
engine
	idle: ready|待機中
	thinking: thinking|思考中
	starting: starting|起動中
	dead: This engine has stopped.|エンジンが停止しました。
tree
	empty: No moves yet. Play one, or open a game.|指し手がありません。盤上で指すか、棋譜を開いてください。
	end: end|終局
notes
	comment: A comment on this move|この手へのコメント
	marks: Marks|評価記号
	promote: Move this variation up|この変化を上へ
	mainline: Make this the main line|この変化を本譜にする
	deleted: Moves deleted.|削除しました。
	delete: Delete from this move on (Del)|この手以降を削除（Del）
mark
	!!: Brilliant|絶妙手
	!: Good move|好手
	!?: Interesting|勝負手
	?!: Inaccuracy|緩手
	?: Mistake|疑問手
	??: Blunder|悪手
curve
	title: How it went|形勢の推移
	label: Curve of the game|形勢グラフ
	at: Move {ply}, {score}|{ply}手目、{score}
	start: Start|開始局面
review
	start: Review this game|この対局を振り返る
	depth: How thoroughly|解析の深さ
	quick: quickly|速く
	normal: normally|標準
	deep: deeply|深く
	stop: Stop|中止
	left: {done} of {of}, {left} s left|{done} / {of}局面、残り{left}秒
	accuracy: Accuracy|正確さ
	loss: Average loss|平均損失
	better: better: {moves}|最善：{moves}
	play: Play this line in|この手順を盤に並べる
	missed: missed mate in {plies}|{plies}手詰を逃す
	turning: turning point|勝負の分かれ目
learn
	count: {count} to try|{count}問
	start: Learn from {side}’s mistakes ({count})|{side}のミスから学ぶ（{count}）
	title: Learn from mistakes|ミスから学ぶ
	ask: {side} played {move} and lost {loss} of the chance to win. What is better?|{side}は{move}と指し、勝率が{loss}下がりました。より良い手は？
	best: That is the best move.|最善手です。
	good: A good move: it loses {loss}. There is a better one.|好手です（損失{loss}）。さらに良い手があります。
	bad: This loses {loss} of the chance to win.|この手では勝率が{loss}下がります。
	judging: Looking at it…|調べています…
	answer: Best is {move} ({score}).|最善は{move}（{score}）でした。
	away: You are looking at another move.|別の局面を見ています。
games
	title: Games in this file|ファイル内の対局
	live: followed|監視中
	count: {count} games|全{count}局
	filter: Find: player, result, date|検索：対局者・結果・日付
reason
	checkmate: checkmate|詰み
	resignation: resigned|投了
	time: time|切れ負け
	sennichite: repetition|千日手
	impasse: impasse|持将棋
	illegal move: illegal move|反則
problem
	title: Mate problems|詰将棋
	length: Length|手数
	plies: Mate in {plies} ({count})|{plies}手詰（{count}）
	playing: {side} to move: mate in {plies}|{side}番、{plies}手詰
	solved: Solved|正解です
	failed: Not this way|不正解です
	shown: The solution|解答
	next: Next|次の問題
	previous: The one before|前の問題
	retry: Try again|もう一度
	show: Solution|解答を見る
	load: Own problems|問題集を開く
	leave: Leave|終了
editor
	title: Set up a position|局面編集
	how: Drag pieces, or choose one and press squares. A double press turns one over; off the board it is gone.|駒をドラッグするか、選んで盤に置きます。ダブルクリックで成・向きを変え、盤外で除きます。
	move: Move pieces|駒を動かす
	erase: Take pieces off|駒を取り除く
	rest: the rest here|残りをすべて加える
	side: Who moves|手番
	unread: This is no SFEN.|SFENとして読めません。
	starts: Load a position…|局面を読み込む…
	clear: Empty board|駒をすべて外す
	done: Use this position|この局面にする
	play: Play from here|ここから対局
open
	title: Open a game|棋譜を開く
	choose: Choose a file, or drop one on the page|ファイルを選択（ドロップも可）
	formats: KIF, KI2, PGN, USI, SFEN, a match’s games|KIF・KI2・PGN・USI・SFEN・自己対局の記録
	paste: Or paste it here|または貼り付け
	read: Read it|読み込む
	fresh: New study|新しい研究
	drop: Drop it to open it|ここにドロップして開く
	large: A file over 6 MB opens with “judkins board FILE”.|6MBを超えるファイルは「judkins board ファイル名」で開けます。
	unreadable: This file cannot be read.|ファイルを読み込めませんでした。
earlier
	title: Earlier games|これまでの対局
	study: Study|研究
	playing: under way|対局中
	position: Position|局面
	plies: moves: {count}|{count}手
	dropped: Older ones are gone, since only 10 MB are kept: {count}.|10MBを超えた古い{count}局は削除されました。
share
	title: Save and share|共有・保存
	format: Format|形式
	copy: Copy|コピー
	download: Download|ダウンロード
	copied: Copied.|コピーしました。
	nocopy: Not allowed by the browser: select the text.|選択してコピーしてください。
	position: This position (SFEN)|この局面（SFEN）
	sfen: Copy SFEN|SFENをコピー
	link: Copy link|リンクをコピー
	game: Copy link to the game|棋譜のリンクをコピー
	lasts: A link opens in this browser until the program ends.|このブラウザで、プログラムの終了まで有効です。
	text: Copy as text|図面をコピー
header
	title: Players and event|対局情報
	keep: Save|保存
prefs
	title: Preferences|表示設定
	pieces: Pieces|駒
	coordinates: Coordinates|座標
	notation: Notation|棋譜の表記
	ja: Japanese|日本式
	western: Western|西洋式
	none: None|なし
	theme: Theme|テーマ
	auto: As the system|自動
	light: Light|ライト
	dark: Dark|ダーク
	arrows: Arrows for the best moves|最善手の矢印
	evalBar: Evaluation bar|形勢バー
pieces
	kanji: One character|一字駒
	kanji2: Two characters|二字駒
	guide: With moves|動き付き
	western: Letters|英字
keys
	title: Help|ヘルプ
	rules: Pieces move as their dots and arrows show; the knight jumps. A move into or out of the two farthest ranks may promote. What you take you may drop as a move, but no second pawn on a file and no mate with a pawn. Checkmate wins.|駒の動き、成り、持ち駒、反則は将棋と同じです。敵陣は奥の2段です。玉を詰ませば勝ちです。
	walk: back and forward|戻る・進む
	ends: start and end|最初・最後
	siblings: other variation|別の変化
	flip: turn the board|盤を反転
	square: choose a square|マスを選ぶ
	pick: pick up, put down|持つ・置く
	hand: take from hand|持ち駒を選ぶ
	promotion: promote, or not|成・不成
	cancel: put back|取り消し
	analyse: on or off|開始・停止
	best: play the best move|最善手を指す
	threats: threats|相手の狙い
	delete: delete from here on|この手以降を削除
`);

function readTexts(table) {
	const texts = new Map();
	let group = "";
	for (const line of table.trim().split("\n")) {
		const [, indent, key, both] = /^(\t?)([^:]+)(?:: (.*))?$/.exec(line);
		if (both) texts.set(indent ? `${group}.${key}` : key, both.split("|"));
		else group = key;
	}
	return texts;
}

let current = 0;

export function setLanguage(name) {
	current = name === "ja" ? 1 : 0;
}

export const language = () => (current === 1 ? "ja" : "en");

/** The text of a key, with `{name}` replaced by the values; the key itself where there is no text. */
export function t(key, values) {
	const text = TEXTS.get(key)?.[current] ?? key;
	return values ? text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole) : text;
}

/** A text that the program sent in both languages; empty where there is none. */
export const spoken = (words) => words?.[language()] ?? "";

/** Words in a row; those that are nothing are left out. */
export const listed = (words) => words.filter(Boolean).join(language() === "ja" ? "、" : ", ");
