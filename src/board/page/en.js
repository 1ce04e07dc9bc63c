// Every text of the page, in English: `key: text`; an indented one belongs to the group above, as `group.key`. A placeholder
// is `{name}`, or `{name|text for 1|text for other numbers}`.

export default `
ranks: abcdef
comma: , 
black: Black
white: White
lower: Black
upper: White
you: You
event: Event
site: Place
date: Date
timeControl: Time control
round: Round
cancel: Cancel
close: Close
plus: One more
minus: One less
owned: {side} {piece}
verbatim: {text}
length: {moves|1 move|{moves} moves} ({plies|1 ply|{plies} plies})
piece
	K: king
	R: rook
	B: bishop
	G: gold
	S: silver
	N: knight
	P: pawn
	+R: dragon
	+B: horse
	+S: promoted silver
	+N: promoted knight
	+P: tokin
square
	selected: picked up
	target: can go here
	goal: marked
hand
	black: Black’s hand
	white: White’s hand
	piece: {piece} in hand, {count}
tomove
	black: Black to move
	white: White to move
score
	mate: M{moves}
	mated: M{moves}
	mate.words: {side} mates in {length}
	mated.words: {side} mates in {length}
say
	moves: {side}: {piece} from {from} to {square}
	drops: {side}: {piece} dropped on {square}
	takes: takes
	promotes: promotes
	check: check
app
	title: judkins: a board for Judkins shogi
	skip: To the board
bar
	main: Main actions
	new: New game
	open: Open
	edit: Set up
	problems: Problems
	lessons: Lessons
	share: Share
	language: 日本語で表示
	theme: Light or dark
	menu: Menu
tab
	moves: Moves
	engine: Analysis
	review: Review
	games: Games
	bar: Panels
	explorer: Openings
nav
	label: Walk through the moves
	first: To the start (Home)
	previous: Back one move (←)
	next: Forward one move (→)
	last: To the end (End)
	flip: Turn the board (F)
undo
	done: Undone.
replace
	title: A game is being played
	ask: This would end it.
	yes: End the game
	no: Play on
	done: Board replaced.
	undo: Put back
connection
	lost: The program does not answer.
	lost.do: This page tries again by itself. Has the program ended? Start it, and open the address that it prints. What is on the board is kept.
	refused: The program was started again: this page has its old address.
	refused.do: Open the new one, which judkins board has printed in its terminal. Then this page works again, too.
	back: Connected again.
	broken: The board does not start.
	broken.do: Reload the page. This needs a current browser with WebAssembly.
trouble
	lost: Not done: the program is away.
	version: The program is newer: reload.
link
	ask: This link shows a position.
	askGame: This link shows a game.
	damaged: This link is damaged: copy the whole of it.
	open: Open it
board
	label: Board. Arrow keys choose a square, Enter picks up and puts down.
	section: Board
refused
	empty: Nothing stands on {square}.
	other: {side} to move: this is {owner}’s piece.
	none: No {piece} in hand.
	piece: the {piece} on {square}
	check: You are in check from {pieces}. This does not stop it.
	pinned: Pinned: you would be in check from {pieces}.
	unsafe: The king would be in check from {pieces}.
	trapped: The king has no safe square.
	nifu: You have an unpromoted pawn on that file (nifu).
	noPawn: You have an unpromoted pawn on every open file (nifu).
	pawnMate: A dropped pawn must not give mate.
	stuck: A {piece} there could never move.
	occupied: Pieces are dropped on empty squares.
	own: Your own piece stands there.
	blocked: Another piece is in the way.
	move: The {piece} does not move there.
	nowhere: The {piece} has no square to go to.
	tried: Press “Try again” for another move.
	over: This problem is over.
	reply: The other side moves here.
promotion
	ask: Promote?
	yes: Promote to {piece}
	no: Stay {piece}
plate
	won: won
	toMove: to move
clock
	label: {side}’s clock: {time}
eval
	label: Chance to win
	words: {score}; Black wins with {win}
play
	title: The game
	yours: Your move
	thinking: {name} is thinking…
	return: Back
	repetition: This position has come up {count} times; four end the game.
	takeback: Take back
	hint: Hint
	resign: Resign
	declare: Declare a win
	stop: Stop playing
	confirm: Sure?
	rematch: Rematch
	analyse: Look it over
	youwon: You won
	youlost: You lost
	draw: Draw
series
	on: Game {number} of {games}
	over: Series: {played} of {games} games
	los: {name} is stronger: {los}
new
	opponent: Opponent
	opponent.engine: The computer
	opponent.friend: A friend, here
	opponent.watch: Just watch
	engine: Engine
	level: Level
	colour: You play
	colour.black: ▲ Black
	colour.white: △ White
	colour.random: Either
	start: Start from
	even: Even game
	position: The position set up
	handicap: White lacks these and moves first.
	clock: Clock
	clock.none: None
	clock.fast: Quick
	clock.calm: Calm
	clock.none.note: Take all the time you like.
	clock.fast.note: 3 minutes, and 2 seconds per move.
	clock.calm.note: 10 minutes, then 30 seconds per move.
	clock.own: Other
	main: Minutes
	byoyomi: Byoyomi, s
	increment: Added per move, s
	time: Seconds per move
	nodes: Nodes per move
	depth: Depth
	limit: Limit
	own: That of its level
	games: Games
	openings: Openings from the built-in list
	early: End games early
	early.note: In centipawns and moves of each side; 0 is off.
	resign: Lost at a score of −
	for: for so many moves
	draw: Drawn within ±
	drawFrom: from move
	longest: Drawn after move
	more: More
	name: Your name
	impasse: When both kings have entered
	go: Start
level
	elo: Elo {elo}
	0: Good for a first game.
	1: Takes what is left to be taken.
	2: Overlooks most threats.
	3: Sees simple threats.
	4: Guards its pieces.
	5: Calculates short exchanges.
	6: Punishes loose pieces.
	7: A careful amateur.
	8: Hard to beat; few slips.
	9: Beats nearly everybody.
	10: Everything it has.
	up: Try level {level} next
	down: Level {level} may suit you
typed
	label: Type a move
	hint: Move…
impasse
	Points12: Points: 12 needed
	Declaration: Declaration
	Try: Try rule
	None: Play on
analysis
	switch: Analysis by {engine}
	threats: Show threats (X)
	lines: Lines
	stop: Stop
	off: off
	over: The game is over here.
	facts: depth {depth} · {nodes} nodes · {nps}/s
	win: Black wins with {win}
engines
	title: Engines
	restart: Restart
	reset: All as they were
	press: Do it
	locked: Set where the program is started.
engine
	idle: ready
	thinking: thinking
	starting: starting
	dead: This engine has stopped.
	says: {name}: {problem}
	noProcess: The engine does not start: {error}.
	noStart: The engine did not answer to “{question}” within {seconds} s.
	crashed: The engine {how}.
	closedOutput: The engine closed its output.
	hung: The engine did not answer within {time} ms, nor to stop.
	outOfTime: The engine used {used} ms of {allowed}.
	flooded: The engine flooded its output.
	unreadableMove: The engine answered ‘bestmove {word}’.
	unaskedMove: The engine sent ‘bestmove {word}’ unasked.
tree
	empty: No moves yet. Play one, or open a game.
	end: end
notes
	comment: A comment on this move
	marks: Marks
	promote: Move this variation up
	mainline: Make this the main line
	deleted: Moves deleted.
	delete: Delete from this move on (Del)
mark
	□: Only move
	!!: Brilliant
	!: Good move
	!?: Interesting
	?!: Inaccuracy
	?: Mistake
	??: Blunder
curve
	title: How it went
	label: Curve of the game
	at: Move {ply}, {score}
	start: Start
review
	start: Review this game
	depth: How thoroughly
	quick: quickly
	normal: normally
	deep: deeply
	stop: Stop
	left: {done} of {of}, {left} s left
	accuracy: Accuracy
	loss: Average loss
	better: better: {moves}
	play: Play this line in
	missed: missed mate in {length}
	turning: turning point
learn
	count: {count} to try
	start: Learn from {side}’s mistakes ({count})
	title: Learn from mistakes
	ask: {side} played {move} and lost {loss} of the chance to win. What is better?
	best: That is the best move.
	good: A good move: it loses {loss}. There is a better one.
	bad: This loses {loss} of the chance to win.
	judging: Looking at it…
	answer: Best is {move} ({score}).
	away: You are looking back.
games
	title: Games in this file
	live: followed
	count: {count|1 game|{count} games}
	filter: Find: player, result, date
reason
	checkmate: checkmate
	no-legal-move: no legal move
	sennichite: fourfold repetition
	perpetual-check: perpetual check
	impasse: impasse
	declaration: declaration
	try: try
	proven: proven by search
	adjudicated-win: adjudicated win
	move-limit: move limit
	wrong-declaration: wrong declaration
	resignation: resignation
	illegal-move: illegal move
	time: time is up
	hang: hang
	crash: crash
	no-start: no start
	closed-output: closed output
	flood: flood
	nonsense: nonsense
	unasked-move: unasked move
	adjudicated-draw: adjudicated draw
	interrupted: interrupted
problem
	title: Mate problems
	length: Length
	plies: Mate in {moves} ({plies|1 ply|{plies} plies}): {count}
	playing: {side} to move: mate in {length}
	solved: Solved
	failed: Not this way
	shown: The solution
	next: Next
	previous: The one before
	retry: Try again
	show: Solution
	load: Own problems
	own: My own ({count})
	remove: Delete this problem
	leave: Leave
	task: {side} mates in {length}.
	mate: Checkmate.
	right: Right. Now mate in {length}.
	noCheck: Every move must give check.
	refuted: After this reply there is no mate in time.
	solution: This is the solution.
lessons
	list: All lessons
	added: {count|1 lesson|{count} lessons} added.
	next: Go on
	right: Right!
	complete: done
	leave: Leave the lessons
lesson
	wrong: Not this move.
	goOn: Right. Go on!
	noCheck: This is no check.
	noPass: This gives check, and the other side cannot wait then.
	mark: Go to the marked square.
	far: From there it takes more than {left|one move|{left} moves}.
	flees: The king escapes to {square}.
	taken: Your piece on {square} is taken by the {piece}.
	blocked: The {piece} on {square} stops the check.
solve
	start: Find a mate
	title: Mate solver
	running: Looking for a mate…
	nodes: Positions: {nodes}
	mate: Mate in {length}
	mateAtMost: Mate in {length} at most
	none: There is no mate by checks.
	unknown: Undecided: the time is up, or it was stopped.
	unique: The solution is unique, the last move aside.
	cooked: The solution is not unique.
	undecided: Whether the solution is unique is undecided.
	rivals: Instead of move {number} mates, too: {moves}.
	open: Open instead of move {number}: {moves}.
	keep: Keep as a problem
	kept: Kept among your own problems.
welcome
	title: New here?
	learn: Learn the rules
	play: Play
	open: Open a game
editor
	title: Set up a position
	how: Drag pieces, or choose one and press squares. A double press turns one over; off the board it is gone.
	move: Move pieces
	erase: Take pieces off
	rest: the rest here
	side: Who moves
	unread: This is no SFEN.
	accepts: Each side has one king; the side to move may lack its own in a mate problem.
	kingless: {side}, to move, has no king: a mate problem. It can be solved and kept, not played.
	starts: Load a position…
	clear: Empty board
	done: Use this position
	play: Play from here
open
	title: Open a game
	choose: Choose a file, or drop one on the page
	formats: KIF, KI2, PGN, USI, SFEN, a match’s games
	paste: Or paste it here
	read: Read it
	library: Games that are kept here
	fresh: New study
	drop: Drop it to open it
	large: A file over 6 MB opens with “judkins board FILE”.
	unreadable: This file cannot be read.
library
	title: Games
	find: Find: player, name, event, date
	result: Result
	any: All results
	wins: {side} won
	open: Not finished
	order: Sort by
	turn: The other way round
	by.kept: Kept last
	by.date: Date
	by.black: Black’s name
	by.white: White’s name
	by.result: Result
	by.plies: Moves
	here: With the position on the board
	back: The games before
	next: More games
	range: {first} to {last} of {count} games
	selected: {count} chosen
	select: Choose
	all: Choose all
	deselect: Choose none
	rename: Rename
	name: Name
	delete: Delete
	deleted: Games deleted.
	bin: Deleted in the last 30 days
	erase: Delete for good
	eraseAsk: These games cannot be restored afterwards.
	export: Export
	import: Add files
	imported: {count|1 game|{count} games} added.
	imported.known: {count|1 game|{count} games} added; {known} were here already.
	imported.part: {count|1 game|{count} games} added, not all whole: {problem}
	none: No game is like this.
	empty: Every game that you play, paste or change is kept here.
	study: Study
	playing: under way
	position: Position
	plies: moves: {count}
	you: you: {side}
explorer
	none: Neither the book nor a game here has this position.
	depth: depth {depth}
	plies: book for {plies|1 ply|{plies} plies}
	file: in this file: {count}
	ends: Black won {black}, White won {white}, drawn {draws}
share
	title: Save and share
	format: Format
	copy: Copy
	download: Download
	copied: Copied.
	nocopy: Not allowed by the browser: select the text.
	position: This position (SFEN)
	sfen: Copy SFEN
	link: Copy link
	game: Copy link to the game
	left: USI holds the moves of the main line: variations, comments and marks are left out.
	page: Save as a page (HTML)
	pageNote: The page is one file: it replays the game with its review in any browser, without a network.
	site: Site for links
	siteNote: Links need this board on the web. Here only this computer can open it: give the address of a site that has it, or send the page.
	move: Move {ply}
	phone: On a phone in the same network
	phoneOpen: Open this address there. The connection is not encrypted: use it in a network that you trust.
	phoneHow: Start the program with “judkins board --listen ADDRESS”, where ADDRESS is this computer’s in the network. It then shows an address and a QR code.
	text: Copy as text
header
	title: Players and event
	keep: Save
prefs
	title: Preferences
	pieces: Pieces
	coordinates: Coordinates
	notation: Notation
	ja: Japanese
	western: Western
	none: None
	theme: Theme
	auto: As the system
	light: Light
	dark: Dark
	board: Board
	wood: Wood
	walnut: Dark wood
	green: Green
	blue: Blue
	volume: Sounds (0: none)
	arrows: Arrows for the best moves
	evalBar: Evaluation bar
pieces
	kanji: One character
	kanji2: Two characters
	guide: With moves
	western: Letters
	pictures: Pictures
keys
	title: Help
	rules: Pieces move as their dots and arrows show; the knight jumps. A move into or out of the two farthest ranks may promote. What you take you may drop as a move, but no second pawn on a file and no mate with a pawn. Checkmate wins.
	walk: back and forward
	ends: start and end
	siblings: other variation
	flip: turn the board
	square: choose a square
	pick: pick up, put down
	hand: take from hand
	promotion: promote, or not
	draw: draw an arrow or a circle, as the right button or a long press does; Shift and Alt change the colour
	cancel: put back
	analyse: on or off
	best: play the best move
	threats: threats
	delete: delete from here on
	undo: undo the last edit
end
	won: {winner} wins
	won.why: {winner} wins: {why}
	drawn: No contest
	drawn.why: No contest: {why}
	points: {reason}, {black} points to {white}
record
	problem: line {line}, column {column}: {message}
	unknownFormat: the format is not known: KIF, KI2, PGN, USI, SFEN and the records of matches are read
	io: it cannot be read ({error})
	none: there is none
	partial: Read in part. {problem}
invalid
	noKing: {side} has no king.
	secondKing: {side} has a second king on {square}.
	tooMany: {piece}: there are {count}, but the game has 2.
	nifu: {side} has two pawns on file {file}.
	deadPiece: {side}’s {piece} on {square} could never move.
	inCheck: {side} is not to move, but the king on {square} is in check by the piece on {checker}.
storage
	none: What is on the board is not kept for the next time: {why}.
	session: What was on the board last is not there: {why}.
	library: Games are not kept in the library: {why}.
	earlier: Some of the earlier games are not there: {why}.
file
	partial: The file is only read, and not written: {problem}
	changed: Another program has changed {path}, so it is not written any more: save a copy.
option
	none: The engine has no such option.
	locked: {name} is set on the command line only: --engine cmd=…,option.{name}=…
	value: {name} does not take this value.
handicap
	bishop: Bishop
	rook: Rook
	two-pieces: Two pieces
error
	bad-clock: A clock has some time, and less than a day.
	bad-date: A date looks like 2024-05-01.
	bad-file: {name} is not a text.
	bad-format: It cannot be written: {error}.
	bad-lessons: No lessons can be read: {error}
	bad-message: The message cannot be read: {error}
	bad-record: No game can be read: {problem}
	bad-sfen: This is no SFEN: {error}
	game-gone: This game is not there any more.
	game-over: The game is over.
	illegal-move: {move} is not a legal move here.
	in-game: A game is being played.
	in-problem: A problem is on the board.
	in-review: The game is being reviewed.
	no-move: “{move}” is no move: type P-6d, 6e6d or ６四歩.
	ambiguous-move: “{move}” may be several moves: say where from, and + or = for the promotion.
	library: The library of games cannot be used: {why}.
	no-answer: The engine has no answer.
	no-declaration: Nothing can be declared under this impasse rule.
	no-hint: There is no hint here.
	no-mate-problems: The file has no mate problem: each line is a position in SFEN in which the side to move mates.
	no-moves: There is no move to review.
	no-page: The files of this page cannot be fetched.
	no-player: Only engines are playing.
	no-such-game: This game cannot be read.
	no-such-node: That move is not there any more.
	not-your-turn: It is not your turn.
	no-choice: There is no such choice.
	gone: That is over already.
	nothing-to-undo: There is nothing to undo.
	nothing-to-take-back: There is no move to take back.
	too-many-problems: No more problems fit in your set: delete some.
	wrong-move: Not this move.
	too-long: This is too long.
`;
