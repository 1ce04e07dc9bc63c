// The library of games in IndexedDB: what src/board/server/library.rs does in SQLite. Only this Worker writes, so that what
// is searched is read once and then kept here.

export const STORES = ["rows", "places", "studies"];
/** The version of what is in them, as state/kept.rs has it. */
export const LIBRARY_VERSION = 1;
const PAGE = 100;
const DAYS_DELETED = 30;

export const result = (request) =>
	new Promise((done, fail) => {
		request.onsuccess = () => done(request.result);
		request.onerror = () => fail(request.error);
	});

/** All of what `change` does to the stores, or nothing. */
export const write = (database, names, change) =>
	new Promise((done, fail) => {
		const transaction = database.transaction(names, "readwrite");
		transaction.oncomplete = done;
		transaction.onabort = () => fail(transaction.error);
		try {
			change(...names.map((name) => transaction.objectStore(name)));
			// Committed at once, so that it completes even if this Worker ends with its page.
			transaction.commit?.();
		} catch (failure) {
			transaction.abort();
			fail(failure);
		}
	});

/** `database` opens the database with the stores; where it fails, every task does. */
export function createLibrary(database) {
	/** Of each game `{id, row, words, same, deleted}`, by its number. */
	let rows = null;
	/** Of each game `{id, keys, moves}`: the positions of its main line, and the moves that were played there. */
	let places = null;

	async function readAll(name) {
		const all = await result((await database()).transaction(name).objectStore(name).getAll());
		return new Map(all.map((each) => [each.id, each]));
	}

	const change = async (what) => write(await database(), STORES, what);

	async function findRows() {
		const read = await readAll("rows");
		const gone = [...read.values()].filter(
			({ deleted }) => deleted && deleted < Date.now() - DAYS_DELETED * 86_400_000,
		);
		if (gone.length > 0)
			await change((...stores) => gone.forEach(({ id }) => stores.forEach((store) => store.delete(id))));
		gone.forEach(({ id }) => read.delete(id));
		rows = read;
	}

	/** Reads something once, unless that fails. */
	function once(read) {
		let reading = null;
		return () => {
			reading ??= read().catch((failure) => {
				reading = null;
				throw failure;
			});
			return reading;
		};
	}
	const readRows = once(findRows);
	const readPlaces = once(async () => {
		places = await readAll("places");
	});
	// Before anybody asks for them. A failure is told with the first task.
	readRows()
		.then(readPlaces)
		.catch(() => {});

	/** Writes rows that have changed. */
	async function update(changed) {
		await change((store) => changed.forEach((row) => store.put(row)));
		for (const row of changed) rows.set(row.id, row);
		return { type: "done", count: changed.length };
	}

	async function find({ words, result: wanted, key, deleted }) {
		await readRows();
		if (key !== null) await readPlaces();
		return [...rows.values()].filter(
			(game) =>
				Boolean(game.deleted) === deleted &&
				(wanted === null || (game.row.result ?? "*") === wanted) &&
				words.every((word) => game.words.includes(word)) &&
				(key === null || places.get(game.id).keys.includes(key)),
		);
	}

	const tasks = {
		async save({ games }) {
			await Promise.all([readRows(), readPlaces()]);
			const ids = new Set(games.map(({ row }) => row.id));
			const others = [...rows.values()].filter(({ id, deleted }) => !deleted && !ids.has(id));
			const known = new Set(others.map(({ same }) => same));
			// A game under its own number is brought up to date.
			const isNew = ({ row, same, plain }) => rows.has(row.id) || !plain || !known.has(same);
			const saved = games
				.filter((game) => isNew(game) && (game.deleted || known.add(game.same)))
				.map(({ row, words, same, places: line, study, deleted }) => [
					{ id: row.id, row, words, same, deleted },
					{
						id: row.id,
						keys: Float64Array.from(line, ([key]) => key),
						moves: line.map(([, move]) => move ?? "").join(" "),
					},
					{ id: row.id, study },
				]);
			await change((...stores) => saved.forEach((game) => game.forEach((part, index) => stores[index].put(part))));
			for (const [row, place] of saved) {
				rows.set(row.id, row);
				places.set(row.id, place);
			}
			return { type: "done", count: saved.length };
		},
		async rename({ game, name, words }) {
			await readRows();
			const known = rows.get(game);
			return update(
				known
					? [{ ...known, row: { ...known.row, name }, words: words + known.words.slice(known.words.indexOf("\n")) }]
					: [],
			);
		},
		async delete({ games, at }) {
			await readRows();
			return update(
				games
					.map((id) => rows.get(id))
					.filter(Boolean)
					.map((game) => ({ ...game, deleted: at })),
			);
		},
		async erase({ games }) {
			await Promise.all([readRows(), readPlaces()]);
			const gone = games.filter((id) => rows.get(id)?.deleted);
			await change((...stores) => gone.forEach((id) => stores.forEach((store) => store.delete(id))));
			gone.forEach((id) => [rows, places].forEach((known) => known.delete(id)));
			return { type: "done", count: gone.length };
		},
		async list(search) {
			const found = await find(search);
			const value = ({ row }) => {
				const it = row[search.order];
				return typeof it === "string" ? it.toLowerCase() : it;
			};
			const compare = (one, other) => (one === other ? 0 : one === null ? -1 : other === null || one > other ? 1 : -1);
			const sign = search.ascending ? 1 : -1;
			found.sort((one, other) => sign * compare(value(one), value(other)) || other.id - one.id);
			return {
				type: "list",
				rows: found.slice(search.first, search.first + PAGE).map(({ row }) => row),
				total: found.length,
			};
		},
		all: async (search) => ({ type: "all", games: (await find(search)).map(({ id }) => id) }),
		async fetch({ games }) {
			await readRows();
			const store = (await database()).transaction("studies").objectStore("studies");
			const found = await Promise.all(games.filter((id) => rows.has(id)).map((id) => result(store.get(id))));
			return { type: "fetched", games: found.map(({ id, study }) => ({ id, name: rows.get(id).row.name, study })) };
		},
		async explore({ key }) {
			await Promise.all([readRows(), readPlaces()]);
			const counted = new Map();
			for (const { id, keys, moves } of places.values()) {
				const game = rows.get(id);
				if (!game || game.deleted || !keys.includes(key)) continue;
				const played = moves.split(" ");
				for (const move of new Set(played.filter((each, index) => each && keys[index] === key))) {
					if (!counted.has(move)) counted.set(move, { games: 0, black: 0, white: 0, draws: 0 });
					const tally = counted.get(move);
					tally.games += 1;
					const winner = { "1-0": "black", "0-1": "white", "1/2-1/2": "draws" }[game.row.result];
					if (winner) tally[winner] += 1;
				}
			}
			return {
				type: "explored",
				moves: [...counted].sort(([one, a], [other, b]) => b.games - a.games || (one < other ? -1 : 1)),
			};
		},
	};

	let last = Promise.resolve();

	/** Carries out a task after those before it. */
	return function run({ type, ...task }) {
		const done = last.then(() => tasks[type](task));
		last = done.catch(() => {});
		return done;
	};
}
