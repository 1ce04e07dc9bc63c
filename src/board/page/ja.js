// Every text of the page, in Japanese: `key: text`; an indented one belongs to the group above, as `group.key`. A placeholder
// is `{name}`, or `{name|text for 1|text for other numbers}`.

export default `
ranks: 一二三四五六
comma: 、
black: 先手
white: 後手
lower: 下手
upper: 上手
you: あなた
event: 棋戦
site: 場所
date: 日付
timeControl: 持ち時間
round: 回戦
cancel: キャンセル
close: 閉じる
plus: 増やす
minus: 減らす
owned: {side}の{piece}
verbatim: {text}
length: {plies}手
piece
	K: 玉
	R: 飛車
	B: 角
	G: 金
	S: 銀
	N: 桂馬
	P: 歩
	+R: 竜
	+B: 馬
	+S: 成銀
	+N: 成桂
	+P: と金
square
	selected: 選択中
	target: 移動可
	goal: 印
hand
	black: 先手の持ち駒
	white: 後手の持ち駒
	piece: 持ち駒の{piece}、{count}枚
tomove
	black: 先手番
	white: 後手番
score
	mate: {length}詰
	mated: {length}で詰み
	mate.words: {side}の勝ち、{length}詰
	mated.words: {side}の勝ち、{length}で詰み
say
	moves: {side}、{square}{piece}、{from}から
	drops: {side}、{square}{piece}打ち
	takes: 取る
	promotes: 成り
	check: 王手
app
	title: judkins：ジャドケンス将棋盤
	skip: 盤へ移動
bar
	main: 主な操作
	new: 対局
	open: 開く
	edit: 局面編集
	problems: 詰将棋
	lessons: 入門
	share: 共有・保存
	language: Show in English
	theme: 明暗を切り替え
	menu: メニュー
tab
	moves: 棋譜
	engine: 検討
	review: 振り返り
	games: 対局一覧
	bar: 表示の切り替え
	explorer: 定跡
nav
	label: 棋譜の移動
	first: 最初へ（Home）
	previous: 一手戻る（←）
	next: 一手進む（→）
	last: 最後へ（End）
	flip: 盤を反転（F）
undo
	done: 取り消しました。
replace
	title: 対局中です
	ask: この操作で対局は終了します。
	yes: 対局を終了する
	no: 対局を続ける
	done: 置き換えました。
	undo: 元に戻す
connection
	lost: プログラムに接続できません。
	lost.do: 自動で再接続しています。終了した場合は起動し直し、表示されたアドレスを開いてください。盤面は保存されています。
	refused: プログラムが再起動され、このページのアドレスは無効になりました。
	refused.do: judkins boardの端末に表示された新しいアドレスを開いてください。その後、このページも再び使えます。
	back: 再接続しました。
	broken: 盤を起動できません。
	broken.do: 再読み込みしてください。WebAssemblyに対応した新しいブラウザが必要です。
trouble
	lost: 接続が切れており、実行できません。
	version: 版が異なります。再読み込みしてください。
link
	ask: リンクに局面があります。
	askGame: リンクに棋譜があります。
	damaged: リンクが壊れています。全体をコピーしてください。
	open: 開く
board
	label: 将棋盤。矢印キーでマスを選び、Enterで駒を持つ・置く。
	section: 将棋盤
refused
	empty: {square}に駒はありません。
	other: {side}番です。これは{owner}の駒です。
	none: 持ち駒に{piece}はありません。
	piece: {square}の{piece}
	check: {pieces}の王手です。これでは防げません。
	pinned: 動かすと{pieces}に玉を取られます。
	unsafe: {pieces}の利きがあり、玉は動けません。
	trapped: 玉が安全に動けるマスがありません。
	nifu: 二歩です。
	noPawn: どの筋も二歩になります。
	pawnMate: 打ち歩詰めは反則です。
	stuck: {piece}はそこに打つと動けなくなります。
	occupied: 駒のあるマスには打てません。
	own: 自分の駒があります。
	blocked: 間に他の駒があります。
	move: {piece}はそこへ動けません。
	nowhere: {piece}の動けるマスがありません。
	tried: 「もう一度」で別の手を試せます。
	over: この問題は終わっています。
	reply: ここは相手の番です。
promotion
	ask: 成りますか
	yes: 成る（{piece}）
	no: 不成（{piece}）
plate
	won: 勝ち
	toMove: 手番
clock
	label: {side}の持ち時間 {time}
eval
	label: 勝率
	words: 評価値 {score}、先手勝率 {win}
play
	title: 対局
	yours: あなたの番です
	thinking: {name}が考えています…
	return: 戻る
	repetition: 同じ局面が{count}回目です。4回で千日手です。
	takeback: 待った
	hint: ヒント
	resign: 投了
	declare: 入玉宣言
	stop: 対局中断
	confirm: 本当に？
	rematch: 再戦
	analyse: 検討する
	youwon: あなたの勝ち
	youlost: あなたの負け
	draw: 引き分け
series
	on: 第{number}局（全{games}局）
	over: 連続対局：{games}局中{played}局終了
	los: {name}の方が強い確率 {los}
new
	opponent: 対戦相手
	opponent.engine: エンジン
	opponent.friend: 二人で
	opponent.watch: 観戦
	engine: エンジン
	level: 強さ
	colour: あなたの手番
	colour.black: ▲先手
	colour.white: △後手
	colour.random: おまかせ
	start: 手合割
	even: 平手
	position: 編集した局面
	handicap: 上手（△）が駒を落とし、先に指します。
	clock: 持ち時間
	clock.none: なし
	clock.fast: 早指し
	clock.calm: じっくり
	clock.none.note: 時間を気にせず指せます。
	clock.fast.note: 3分、1手ごとに2秒加算。
	clock.calm.note: 10分、切れたら1手30秒。
	clock.own: その他
	main: 持ち時間（分）
	byoyomi: 秒読み（秒）
	increment: 加算（秒）
	time: 1手の秒数
	nodes: 1手のノード数
	depth: 深さ
	limit: 制限
	own: 強さに応じる
	games: 対局数
	openings: 内蔵の序盤局面から
	early: 早期判定
	early.note: 評価値はセンチポーン、手数は片方ごと、0で無効。
	resign: 負けとする評価値 −
	for: 続く手数
	draw: 引き分けとする評価値 ±
	drawFrom: 判定開始の手数
	longest: 引き分けとする手数
	more: 詳細
	name: お名前
	impasse: 持将棋のルール
	go: 対局開始
level
	elo: レート{elo}
	0: はじめての対局に。
	1: ただの駒は取ります。
	2: 狙いの多くを見落とします。
	3: 単純な狙いは見えます。
	4: 駒をきちんと守ります。
	5: 短い駒の取り合いを読みます。
	6: 浮き駒を見逃しません。
	7: 手堅いアマチュア。
	8: ミスの少ない強敵。
	9: ほとんどの人に勝ちます。
	10: 手加減なしの全力。
	up: 次はレベル{level}で
	down: レベル{level}がよさそうです
typed
	label: 指し手を入力
	hint: 指し手…
impasse
	Points12: 点数法（12点）
	Declaration: 宣言法
	Try: トライルール
	None: なし
analysis
	switch: {engine}による検討
	threats: 相手の狙いを表示（X）
	lines: 候補手の数
	stop: 中止
	off: 停止中
	over: 終局しています。
	facts: 深さ{depth} · {nodes}局面 · 毎秒{nps}
	win: 先手勝率{win}
engines
	title: エンジン設定
	restart: 再起動
	reset: すべて既定値に戻す
	press: 実行
	locked: 起動時にのみ設定できます。
engine
	idle: 待機中
	thinking: 思考中
	starting: 起動中
	dead: エンジンが停止しました。
	says: {name}：{problem}
	noProcess: エンジンを起動できません：{error}。
	noStart: エンジンが「{question}」に{seconds}秒以内に答えませんでした。
	crashed: エンジンが異常終了しました（{how}）。
	closedOutput: エンジンが出力を閉じました。
	hung: エンジンが{time}ミリ秒待っても、stopにも応答しませんでした。
	outOfTime: エンジンが{used}ミリ秒使いました（許容{allowed}ミリ秒）。
	flooded: エンジンの出力が多すぎます。
	unreadableMove: エンジンが読めない指し手を答えました（{word}）。
	unaskedMove: エンジンが聞かれていないのに指し手を答えました（{word}）。
tree
	empty: 指し手がありません。盤上で指すか、棋譜を開いてください。
	end: 終局
notes
	comment: この手へのコメント
	marks: 評価記号
	promote: この変化を上へ
	mainline: この変化を本譜にする
	deleted: 削除しました。
	delete: この手以降を削除（Del）
mark
	□: この一手
	!!: 絶妙手
	!: 好手
	!?: 勝負手
	?!: 緩手
	?: 疑問手
	??: 悪手
curve
	title: 形勢の推移
	label: 形勢グラフ
	at: {ply}手目、{score}
	start: 開始局面
review
	start: この対局を振り返る
	depth: 解析の深さ
	quick: 速く
	normal: 標準
	deep: 深く
	stop: 中止
	left: {done} / {of}局面、残り{left}秒
	accuracy: 正確さ
	loss: 平均損失
	better: 最善：{moves}
	play: この手順を盤に並べる
	missed: {length}詰を逃す
	turning: 勝負の分かれ目
learn
	count: {count}問
	start: {side}のミスから学ぶ（{count}）
	title: ミスから学ぶ
	ask: {side}は{move}と指し、勝率が{loss}下がりました。より良い手は？
	best: 最善手です。
	good: 好手です（損失{loss}）。さらに良い手があります。
	bad: この手では勝率が{loss}下がります。
	judging: 調べています…
	answer: 最善は{move}（{score}）でした。
	away: 別の局面を見ています。
games
	title: ファイル内の対局
	live: 監視中
	count: 全{count}局
	filter: 検索：対局者・結果・日付
reason
	checkmate: 詰み
	no-legal-move: 合法手なし
	sennichite: 千日手
	perpetual-check: 連続王手の千日手
	impasse: 持将棋
	declaration: 入玉宣言
	try: トライ
	proven: 探索による証明
	adjudicated-win: 勝ち判定
	move-limit: 最大手数
	wrong-declaration: 誤った入玉宣言
	resignation: 投了
	illegal-move: 反則手
	time: 時間切れ
	hang: 応答なし
	crash: 異常終了
	no-start: 起動失敗
	closed-output: 出力停止
	flood: 出力過多
	nonsense: 解釈不能な応答
	unasked-move: 手番外の応答
	adjudicated-draw: 引き分け判定
	interrupted: 中断
problem
	title: 詰将棋
	length: 手数
	plies: {length}詰（{count}）
	playing: {side}番、{length}詰
	solved: 正解です
	failed: 不正解です
	shown: 解答
	next: 次の問題
	previous: 前の問題
	retry: もう一度
	show: 解答を見る
	load: 問題集を開く
	own: 自分の問題（{count}）
	remove: この問題を削除
	leave: 終了
	task: {length}詰（{side}番）
	mate: 詰みです。
	right: 正解。あと{length}。
	noCheck: 王手を続けてください。
	refuted: この応手で手数内に詰みません。
	solution: これが正解手順です。
lessons
	list: レッスン一覧
	added: レッスンを{count}件追加しました。
	next: 次へ
	right: 正解です！
	complete: 完了
	leave: 入門を終える
lesson
	wrong: その手ではありません。
	goOn: 正解。続けましょう！
	noCheck: 王手ではありません。
	noPass: 王手になり、相手は待てません。
	mark: 印のマスへ動かしましょう。
	far: そこからでは印に間に合いません（あと{left}手）。
	flees: 玉が{square}へ逃げます。
	taken: {square}の駒を{piece}に取られます。
	blocked: {square}の{piece}で王手を防がれます。
solve
	start: 詰みを探す
	title: 詰み探索
	running: 詰みを探しています…
	nodes: {nodes}局面
	mate: {length}詰
	mateAtMost: {length}以内の詰み
	none: 王手の連続では詰みません。
	unknown: 不明です（時間切れ、または中止）。
	unique: 余詰はありません（最終手を除く）。
	cooked: 余詰があります。
	undecided: 余詰の有無は不明です。
	rivals: 攻方{number}手目は{moves}でも詰み。
	open: 攻方{number}手目の{moves}は不明。
	keep: 問題として保存
	kept: 自分の問題に保存しました。
welcome
	title: はじめての方へ
	learn: ルールを学ぶ
	play: 対局する
	open: 棋譜を開く
editor
	title: 局面編集
	how: 駒をドラッグするか、選んで盤に置きます。ダブルクリックで成・向きを変え、盤外で除きます。
	move: 駒を動かす
	erase: 駒を取り除く
	rest: 残りをすべて加える
	side: 手番
	unread: SFENとして読めません。
	accepts: 玉は1枚ずつ置きます。詰将棋では手番側の玉を省けます。
	kingless: 手番の{side}に玉がないので、詰将棋として解く・保存することができます。対局はできません。
	starts: 局面を読み込む…
	clear: 駒をすべて外す
	done: この局面にする
	play: ここから対局
open
	title: 棋譜を開く
	choose: ファイルを選択（ドロップも可）
	formats: KIF・KI2・PGN・USI・SFEN・自己対局の記録
	paste: または貼り付け
	read: 読み込む
	library: 保存されている棋譜
	fresh: 新しい研究
	drop: ここにドロップして開く
	large: 6MBを超えるファイルは「judkins board ファイル名」で開けます。
	unreadable: ファイルを読み込めませんでした。
library
	title: 棋譜一覧
	find: 検索：対局者、名前、棋戦、日付
	result: 結果
	any: すべての結果
	wins: {side}勝ち
	open: 未終局
	order: 並べ替え
	turn: 逆順
	by.kept: 保存順
	by.date: 日付
	by.black: 先手の名前
	by.white: 後手の名前
	by.result: 結果
	by.plies: 手数
	here: 盤上の局面を含む
	back: 前の一覧
	next: 次の一覧
	range: {count}局中 {first}～{last}
	selected: {count}局を選択
	select: 選択
	all: すべて選択
	deselect: 選択を解除
	rename: 名前を変更
	name: 名前
	delete: 削除
	deleted: 棋譜を削除しました。
	bin: 削除済み（30日以内）
	erase: 完全に削除
	eraseAsk: 選んだ棋譜は元に戻せなくなります。
	export: 書き出す
	import: ファイルを追加
	imported: {count}局を追加しました。
	imported.known: {count}局を追加しました（{known}局は既にありました）。
	imported.part: {count}局を追加しましたが、一部読み込めません。{problem}
	none: 該当する棋譜はありません。
	empty: 指した対局、貼り付けた棋譜、変更した棋譜はここに残ります。
	study: 研究
	playing: 対局中
	position: 局面
	plies: {count}手
	you: あなた：{side}
explorer
	none: この局面は定跡にも棋譜にもありません。
	depth: 深さ{depth}
	plies: 定跡{length}
	file: このファイル：{count}局
	ends: 先手{black}勝、後手{white}勝、引き分け{draws}
share
	title: 共有・保存
	format: 形式
	copy: コピー
	download: ダウンロード
	copied: コピーしました。
	nocopy: 選択してコピーしてください。
	position: この局面（SFEN）
	sfen: SFENをコピー
	link: リンクをコピー
	game: 棋譜のリンクをコピー
	left: USI形式は本譜の指し手のみで、変化・コメント・評価記号は含みません。
	page: 再生ページ（HTML）を保存
	pageNote: 棋譜と振り返りを再生できる一つのファイルです。ブラウザがあれば、通信なしで開けます。
	site: リンク先のサイト
	siteNote: リンクを開くには、この盤を公開しているサイトが必要です。今のアドレスはこのパソコンでしか開けません。サイトのアドレスを入力するか、再生ページを送ってください。
	move: {ply}手目
	phone: 同じネットワークのスマートフォンで開く
	phoneOpen: このアドレスを開いてください。通信は暗号化されないので、信頼できるネットワークで使ってください。
	phoneHow: 「judkins board --listen アドレス」で起動してください（アドレスはネットワーク内でのこのパソコンのもの）。開くためのアドレスとQRコードが表示されます。
	text: 図面をコピー
header
	title: 対局情報
	keep: 保存
prefs
	title: 表示設定
	pieces: 駒
	coordinates: 座標
	notation: 棋譜の表記
	ja: 日本式
	western: 西洋式
	none: なし
	theme: テーマ
	auto: 自動
	light: ライト
	dark: ダーク
	board: 盤
	wood: 木
	walnut: 濃い木
	green: 緑
	blue: 青
	volume: 効果音（0で消音）
	arrows: 最善手の矢印
	evalBar: 形勢バー
pieces
	kanji: 一字駒
	kanji2: 二字駒
	guide: 動き付き
	western: 英字
	pictures: 絵
keys
	title: ヘルプ
	rules: 駒の動き、成り、持ち駒、反則は将棋と同じです。敵陣は奥の2段です。玉を詰ませば勝ちです。
	walk: 戻る・進む
	ends: 最初・最後
	siblings: 別の変化
	flip: 盤を反転
	square: マスを選ぶ
	pick: 持つ・置く
	hand: 持ち駒を選ぶ
	promotion: 成・不成
	draw: 矢印・丸を描く（右ボタン・長押しでも可。Shift・Altで色が変わる）
	cancel: 取り消し
	analyse: 開始・停止
	best: 最善手を指す
	threats: 相手の狙い
	delete: この手以降を削除
	undo: 直前の編集を取り消す
end
	won: {winner}の勝ち
	won.why: {winner}の勝ち（{why}）
	drawn: 引き分け
	drawn.why: 引き分け（{why}）
	points: {reason}、{black}点対{white}点
record
	problem: {line}行{column}桁目に誤りがあります（{message}）
	unknownFormat: 形式が分かりません。KIF・KI2・PGN・USI・SFENか、自己対局の記録を指定してください。
	io: 読み取りに失敗しました（{error}）
	none: 棋譜が見つかりません。
	partial: 一部のみ読み込みました。{problem}
invalid
	noKing: {side}の玉がありません。
	secondKing: {side}の玉が{square}にもあります。
	tooMany: {piece}が{count}枚あります。2枚までです。
	nifu: {side}の歩が{file}筋に2枚あります（二歩）。
	deadPiece: {square}の{side}の{piece}は動けません。
	inCheck: 手番でない{side}の玉に王手がかかっています。
storage
	none: 盤面は保存されません。{why}
	session: 前回の盤面を読み込めません。{why}
	library: 棋譜一覧に保存できません。{why}
	earlier: これまでの対局の一部を読み込めません。{why}
file
	partial: ファイルに誤りがあるため、上書きしません：{problem}
	changed: {path}は他のプログラムが変更したため、上書きしません。別に保存してください。
option
	none: エンジンにその設定はありません。
	locked: {name}はコマンドラインでのみ設定できます：--engine cmd=…,option.{name}=…
	value: {name}にその値は設定できません。
handicap
	bishop: 角落ち
	rook: 飛車落ち
	two-pieces: 二枚落ち
error
	bad-clock: 持ち時間が正しくありません。
	bad-date: 日付は2024-05-01のように書いてください。
	bad-file: {name}はテキストではありません。
	bad-format: 書き出せません：{error}
	bad-lessons: レッスンとして読めません：{error}
	bad-message: 読めないメッセージです：{error}
	bad-record: 棋譜を読み込めません。{problem}
	bad-sfen: SFENとして読めません：{error}
	game-gone: その対局はもうありません。
	game-over: 対局は終わっています。
	illegal-move: その手は合法手ではありません。
	in-game: 対局中です。
	in-problem: 詰将棋が出ています。
	in-review: 検討中です。
	no-move: 「{move}」は指し手として読めません。例：６四歩、P-6d、6e6d
	ambiguous-move: 「{move}」は複数の手に当てはまります。元のマスや成・不成を書いてください。
	library: 棋譜一覧を使えません。{why}
	no-answer: エンジンの答えがありません。
	no-declaration: この規定では宣言できません。
	no-hint: ここではヒントがありません。
	no-mate-problems: 詰将棋がありません。1行に1局面をSFENで書いてください。
	no-moves: 検討する手がありません。
	no-page: このページのファイルを取得できません。
	no-player: エンジン同士の対局です。
	no-such-game: その対局は読めません。
	no-such-node: その手はもうありません。
	not-your-turn: あなたの手番ではありません。
	no-choice: その選択肢はありません。
	gone: もう終わっています。
	nothing-to-undo: 元に戻せるものはありません。
	nothing-to-take-back: 待ったできる手がありません。
	too-many-problems: 自分の問題がいっぱいです。いくつか削除してください。
	wrong-move: その手ではありません。
	too-long: 長すぎます。
`;
