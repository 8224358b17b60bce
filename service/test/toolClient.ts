import { Client as ProtocolClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RunningService } from './runningService.ts';

/** What a tool answered over the Model Context Protocol. */
export interface ToolAnswer {
	isError: boolean;
	text: string;
}

/** A client of the Model Context Protocol: the one of the official SDK, over real HTTP. */
export class ToolClient {
	readonly #client = new ProtocolClient({ name: 'test', version: '1.0.0' });

	/** Connects. `token` is the service's own access token unless another one is given. */
	static async connect(
		service: RunningService,
		token = service.credentials.accessToken,
	): Promise<ToolClient> {
		const client = new ToolClient();
		const transport: unknown = new StreamableHTTPClientTransport(
			new URL(`${service.site}/api/v1/agent/mcp`),
			{ requestInit: { headers: { authorization: `Bearer ${token}` } } },
		);
		// The SDK's types differ from its own interface in optional members, where those are exact.
		await client.#client.connect(transport as Transport);
		return client;
	}

	async list() {
		return (await this.#client.listTools()).tools;
	}

	async call(
		name: string,
		parameters: Record<string, unknown>,
		signal?: AbortSignal,
	): Promise<ToolAnswer> {
		const result = await this.#client.callTool(
			{ name, arguments: parameters },
			undefined,
			signal === undefined ? {} : { signal },
		);
		const [content] = result.content as Array<{ type: string; text: string }>;
		return { isError: result.isError === true, text: content?.text ?? '' };
	}

	async close(): Promise<void> {
		await this.#client.close();
	}
}
