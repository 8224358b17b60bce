import type { DescribedOperation, OpenApiDocument } from './openApi.ts';

const METHODS = ['get', 'post', 'put', 'delete'];

/** `llms.txt` (section 4.5): a hint in Markdown, with the endpoints of the OpenAPI document. */
export function clientHints(document: OpenApiDocument): string {
	const site = document.servers[0]?.url ?? '';
	const sections = new Map<string, string[]>();
	for (const [path, operations] of Object.entries(document.paths)) {
		for (const method of METHODS) {
			const operation = operations[method];
			if (operation === undefined) continue;
			const [tag = 'Other'] = operation.tags ?? [];
			const line = `- \`${method.toUpperCase()} ${path}\`: ${operation.summary ?? ''}${credentialOf(operation)}`;
			sections.set(tag, [...(sections.get(tag) ?? []), line]);
		}
	}
	const endpoints = [...sections].map(([tag, lines]) => `### ${tag}\n\n${lines.join('\n')}`);
	return `# ${document.info.title}

> Extracts the transactions of bank statements from PDFs and pictures: upload a file, create a job, \
wait for its end, read the data.

- Base address: ${site}/api/v1
- OpenAPI 3.1, with every field, limit and error: ${site}/api-docs/openapi.json

## Credentials

Every request carries \`Authorization: Bearer <credential>\`. Each surface takes its own:

- Agent surface (\`/api/v1/agent\`): a personal access token, \`dex_pat_\` and 43 characters. Preferred.
- Legacy surface (\`/api/v1/protected\`): a JWT. The fraud endpoints exist only there.

## Flow

1. \`POST /api/v1/agent/webhooks\` with \`url\` and \`events\`, such as \`document.extraction.completed\` \
and \`document.extraction.failed\`. Keep \`secret\` from the answer: it is shown this once.
2. \`POST /api/v1/agent/documents/upload-url\` with \`filename\` and \`mimetype\`. The answer has \`url\` \
and \`document.id\`.
3. \`PUT\` the bytes of the file to that \`url\`, with the same \`Content-Type\` and without the credential.
4. \`POST /api/v1/agent/jobs\` with \`documents\`: a list of document ids. The answer has \`jobId\`.
5. The webhook gets the data when the job has ended. Check \`X-Service-Signature\`: HMAC-SHA256 of the \
raw body with the secret, in hexadecimal digits.

Without a webhook: \`GET /api/v1/agent/jobs/{id}\` until \`status\` is \`Succeeded\`, \`Failed\` or \
\`OutOfCredits\`; begin with a pause of 2 seconds and double it. On 429 wait as long as \`Retry-After\` \
says. Then \`GET /api/v1/agent/jobs/{id}/data\` or \`/transactions\`.

Errors are \`{ "error": { "code", "message", "field" } }\`; \`message\` says what to do.

## Endpoints

${endpoints.join('\n\n')}
`;
}

function credentialOf({ security = [] }: DescribedOperation): string {
	const [scheme] = security.flatMap((one) => Object.keys(one));
	if (scheme === 'accessToken') return ' (access token)';
	return scheme === 'jwt' ? ' (JWT)' : ' (no credential)';
}
