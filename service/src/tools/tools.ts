import { convertBankStatement } from './convertBankStatement.ts';
import { convertDocument } from './convertDocument.ts';
import { downloadTransactions } from './downloadTransactions.ts';
import { getDocument } from './getDocument.ts';
import { getDocumentTransactions } from './getDocumentTransactions.ts';
import { getJobStatus } from './getJobStatus.ts';
import { getTransactions } from './getTransactions.ts';
import { listDocuments } from './listDocuments.ts';
import { listProjects } from './listProjects.ts';
import type { Tool } from './tool.ts';
import { uploadUrl } from './uploadUrl.ts';

/** The tools of section 4.5, in its order. */
export const TOOLS: readonly Tool[] = [
	convertBankStatement,
	downloadTransactions,
	getTransactions,
	uploadUrl,
	convertDocument,
	getJobStatus,
	listProjects,
	listDocuments,
	getDocument,
	getDocumentTransactions,
];
