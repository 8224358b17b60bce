import type { Connection } from './connection.ts';

/** Connections that are kept for the next request, to all receivers and to one. */
const MOST_IDLE = 64;
const MOST_IDLE_PER_RECEIVER = 8;

/** Open connections without a request. One that closes leaves by itself. */
export class ConnectionPool {
	readonly #idle = new Map<string, Connection[]>();
	#count = 0;

	/** An open connection with this key, for the caller alone; null if there is none. */
	take(key: string): Connection | null {
		for (;;) {
			// The one that was used last is the least likely to have been closed meanwhile.
			const connection = this.#idle.get(key)?.at(-1);
			if (connection === undefined) return null;
			this.#remove(connection);
			if (connection.isOpen) return connection;
			connection.destroy();
		}
	}

	/** Keeps a connection, or ends it where there are enough. */
	put(connection: Connection): void {
		const same = this.#idle.get(connection.key) ?? [];
		if (!connection.isOpen || same.length >= MOST_IDLE_PER_RECEIVER || this.#count >= MOST_IDLE) {
			connection.destroy();
			return;
		}
		same.push(connection);
		this.#idle.set(connection.key, same);
		this.#count++;
		connection.onClosed = () => this.#remove(connection);
	}

	/** Ends all connections. */
	clear(): void {
		for (const connection of [...this.#idle.values()].flat()) {
			this.#remove(connection);
			connection.destroy();
		}
	}

	#remove(connection: Connection): void {
		const same = this.#idle.get(connection.key);
		const index = same?.indexOf(connection) ?? -1;
		if (same === undefined || index < 0) return;
		same.splice(index, 1);
		this.#count--;
		if (same.length === 0) this.#idle.delete(connection.key);
	}
}
