// Makes an instance of judkins.wasm: the few functions of WASI that Rust's standard library calls, and the host's own.

const BAD_DESCRIPTOR = 8;

/** An instance of a compiled module. `host` has the functions of the import module "judkins", made from its memory. */
export async function instantiate(module, host) {
	let instance;
	const bytes = (address, length) => new Uint8Array(instance.exports.memory.buffer, address, length);
	const word = (address, value) => new DataView(instance.exports.memory.buffer).setUint32(address, value, true);
	const wasi = {
		clock_time_get(clock, _precision, address) {
			const milliseconds = clock === 0 ? Date.now() : performance.now();
			const time = BigInt(Math.round(milliseconds * 1e6));
			new DataView(instance.exports.memory.buffer).setBigUint64(address, time, true);
			return 0;
		},
		environ_get: () => 0,
		environ_sizes_get(count, size) {
			word(count, 0);
			word(size, 0);
			return 0;
		},
		fd_write(_descriptor, vectors, count, written) {
			const view = new DataView(instance.exports.memory.buffer);
			let text = "";
			let total = 0;
			for (let vector = vectors; vector < vectors + 8 * count; vector += 8) {
				const length = view.getUint32(vector + 4, true);
				text += new TextDecoder().decode(bytes(view.getUint32(vector, true), length));
				total += length;
			}
			if (text.trim()) {
				console.error(text.trimEnd());
			}
			word(written, total);
			return 0;
		},
		proc_exit(status) {
			throw new Error(`judkins.wasm ended with status ${status}`);
		},
		random_get(address, length) {
			crypto.getRandomValues(bytes(address, length));
			return 0;
		},
		sched_yield: () => 0,
	};
	// There are no files.
	for (const { module: from, name } of WebAssembly.Module.imports(module)) {
		if (from === "wasi_snapshot_preview1") {
			wasi[name] ??= () => BAD_DESCRIPTOR;
		}
	}
	const imports = { wasi_snapshot_preview1: wasi, judkins: host(bytes) };
	instance = await WebAssembly.instantiate(module, imports);
	instance.exports._initialize();
	return instance;
}
