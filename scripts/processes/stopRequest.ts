const stopSignals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Resolves on the first Ctrl-C, SIGTERM or closed terminal. `onImpatience` is called when another
 * one arrives more than a second later: npm passes on what the terminal has sent already, so that
 * one Ctrl-C arrives twice.
 */
export const stopRequest = async (onImpatience: () => void): Promise<NodeJS.Signals> =>
	await new Promise((resolve) => {
		let firstAt: number | undefined;
		for (const signal of stopSignals) {
			process.on(signal, () => {
				if (firstAt === undefined) {
					firstAt = Date.now();
					resolve(signal);
				} else if (Date.now() - firstAt > 1_000) {
					onImpatience();
				}
			});
		}
	});
