import { relative } from 'node:path';
import type { OwnerAccount } from '../n8n/ownerAccount.ts';

/** The last words of a start: where everything is and how to sign in. */
export const welcome = (running: {
	editor: string;
	serviceBaseUrl: string;
	owner: OwnerAccount;
	workflowId: string;
	dataFolder: string;
	seconds: number;
}): string => {
	const inside = relative(process.cwd(), running.dataFolder);
	const folder = inside === '' || inside.startsWith('..') ? running.dataFolder : inside;
	return [
		`Ready after ${running.seconds} s.`,
		'',
		`  n8n       ${running.editor}/workflow/${running.workflowId}`,
		`            sign in as ${running.owner.email} with the password ${running.owner.password}`,
		`  Service   ${running.serviceBaseUrl}`,
		`            access token and JWT: ${folder}/credentials.json`,
		`  Files     ${folder}/n8n/files is the folder that workflows may read`,
		`  Logs      ${folder}/logs`,
		'',
		'Ctrl-C stops all of it.',
	].join('\n');
};
