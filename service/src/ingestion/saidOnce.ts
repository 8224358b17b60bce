/** Keeps a log from repeating itself: a message about something is due again after it was over. */
export class SaidOnce {
	readonly #said = new Map<string, string>();

	/** @returns true when `message` about `subject` is not what was said last */
	isNew(subject: string, message: string): boolean {
		if (this.#said.get(subject) === message) return false;
		this.#said.set(subject, message);
		return true;
	}

	/** @returns true when something had been said about it */
	over(subject: string): boolean {
		return this.#said.delete(subject);
	}
}
