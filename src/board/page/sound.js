// The sounds of a game, made on the spot.

import { LOW_MS } from "./player-bars.js";
import { squareIndex, target, toSfen } from "./shogi.js";

/** Each sound's tones: start and length in seconds, first and last pitch. */
const SOUNDS = {
	move: [[0, 0.07, 1100, 180]],
	capture: [
		[0, 0.08, 1300, 160],
		[0.05, 0.1, 700, 110],
	],
	check: [
		[0, 0.07, 1100, 180],
		[0.06, 0.22, 880, 880],
	],
	low: [
		[0, 0.12, 660, 660],
		[0.2, 0.12, 660, 660],
	],
	end: [
		[0, 0.35, 523, 523],
		[0.14, 0.35, 659, 659],
		[0.28, 0.6, 784, 784],
	],
};

let context = null;

export function playSound(name, volume) {
	// Before a gesture the browser keeps the tones back, and then plays all at once.
	if (volume === 0 || navigator.userActivation?.hasBeenActive === false) return;
	context ??= new AudioContext();
	for (const [start, length, from, to] of SOUNDS[name]) {
		const at = context.currentTime + start;
		const [tone, gain] = [new OscillatorNode(context, { type: "triangle" }), new GainNode(context)];
		tone.frequency.setValueAtTime(from, at);
		tone.frequency.exponentialRampToValueAtTime(to, at + length);
		gain.gain.setValueAtTime(volume / 250, at);
		gain.gain.exponentialRampToValueAtTime(0.001, at + length);
		tone.connect(gain).connect(context.destination);
		tone.start(at);
		tone.stop(at + length);
	}
}

export function createSounds({ state, on }) {
	const play = (name) => document.body.dataset.ready && playSound(name, state.settings.volume);
	let heard = "";
	let checked = "";
	let before = null;

	on("position", () => {
		const { position } = state;
		const shown = position && toSfen(position);
		if (shown !== heard) {
			const isNext = before?.number === position?.number - 1;
			if (position?.last) play(isNext && before.board[squareIndex(target(position.last))] ? "capture" : "move");
			[heard, before] = [shown, position];
		}
		// The check is known a little later.
		if (shown !== checked && position?.check.length > 0) {
			checked = shown;
			play("check");
		}
	});

	let timer = 0;
	let ended = true;
	on("game", () => {
		const { game } = state;
		clearTimeout(timer);
		const left = game?.clocks?.[game.running];
		if (left && game[game.running].kind === "human") {
			const wait = left.main + left.byoyomi - LOW_MS;
			if (wait > 0) timer = setTimeout(play, wait, "low");
		}
		if (game?.result && !ended) play("end");
		ended = !game || Boolean(game.result);
	});
}
