/** An address that is not delivered to. The message is one sentence for a person. */
export class ReceiverRefused extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'ReceiverRefused';
	}
}
