import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tool as it is offered to the model. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: {
		type: string;
		properties: Record<string, { type?: string; description?: string }>;
		required?: string[];
	};
}

/** What the model does next: it calls a tool, or it answers. */
export type ModelStep = { tool: string; arguments: Record<string, unknown> } | { answer: string };

/** A text that came back from a tool. */
export type ToolText = string;

interface Message {
	role: string;
	content?: string | Array<{ text?: string }> | null;
	tool_call_id?: string;
}

interface CompletionRequest {
	messages: Message[];
	tools?: Array<{ function: OfferedTool }>;
	stream?: boolean;
}

const textOf = ({ content }: Message): string =>
	typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

const bodyOf = async (request: IncomingMessage): Promise<string> => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
};

/**
 * A language model with a script, behind the chat completions of OpenAI, and files to download. The
 * script gets the texts of the tools that were called so far and says what comes next.
 */
export class ScriptedModel {
	/** Everything that was sent to the model, as it came. */
	readonly requests: string[] = [];

	private script: (texts: ToolText[]) => ModelStep = () => ({ answer: 'Nothing to do.' });

	private readonly files = new Map<string, { type: string; content: Buffer }>();

	private readonly server = createServer((request, response) => {
		this.handle(request, response).catch(() => response.destroy());
	});

	async start(): Promise<this> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		return this;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	get siteUrl(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** The base URL for n8n's chat model. */
	get baseUrl(): string {
		return `${this.siteUrl}/v1`;
	}

	/** Serves a file; returns its address. */
	serve(name: string, content: Buffer, type = 'application/pdf'): string {
		this.files.set(`/files/${name}`, { type, content });
		return `${this.siteUrl}/files/${name}`;
	}

	/** Begins a new conversation. */
	play(script: (texts: ToolText[]) => ModelStep): void {
		this.requests.length = 0;
		this.script = script;
	}

	private last(): CompletionRequest {
		const text = this.requests.at(-1);
		if (text === undefined) throw new Error('n8n has not asked the model');
		return JSON.parse(text) as CompletionRequest;
	}

	/** The tools that were offered, by name. */
	offered(): Map<string, OfferedTool> {
		return new Map((this.last().tools ?? []).map(({ function: tool }) => [tool.name, tool]));
	}

	/** The texts of all tools of the conversation, in the order of the calls. */
	texts(): ToolText[] {
		return this.last()
			.messages.filter(({ role }) => role === 'tool')
			.map(textOf);
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method, url = '' } = request;
		const file = this.files.get(url);
		if (file !== undefined) {
			response.writeHead(200, {
				'content-type': file.type,
				'content-length': String(file.content.length),
			});
			response.end(method === 'HEAD' ? undefined : file.content);
			return;
		}
		if (method !== 'POST' || !url.endsWith('/chat/completions')) {
			response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
			return;
		}
		this.requests.push(await bodyOf(request));
		const step = this.script(this.texts());
		const message =
			'answer' in step
				? { role: 'assistant', content: step.answer }
				: {
						role: 'assistant',
						content: null,
						tool_calls: [
							{
								id: `call_${this.requests.length}`,
								type: 'function',
								function: { name: step.tool, arguments: JSON.stringify(step.arguments) },
							},
						],
					};
		const finish = 'answer' in step ? 'stop' : 'tool_calls';
		if (this.last().stream === true) this.stream(response, message, finish);
		else this.complete(response, message, finish);
	}

	private complete(response: ServerResponse, message: object, finish: string): void {
		const body = {
			id: 'completion',
			object: 'chat.completion',
			created: 1,
			model: 'scripted',
			choices: [{ index: 0, message, finish_reason: finish }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
	}

	private stream(
		response: ServerResponse,
		message: { tool_calls?: object[] },
		finish: string,
	): void {
		const chunk = (delta: object, reason: string | null) =>
			`data: ${JSON.stringify({
				id: 'completion',
				object: 'chat.completion.chunk',
				created: 1,
				model: 'scripted',
				choices: [{ index: 0, delta, finish_reason: reason }],
			})}\n\n`;
		const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.write(chunk({ ...message, ...(calls && { tool_calls: calls }) }, null));
		response.end(`${chunk({}, finish)}data: [DONE]\n\n`);
	}
}
