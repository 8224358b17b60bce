declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	import { type Linter } from 'eslint';

	export const SOURCE_FILE_PATTERNS: string[];
	export function buildScanConfig(): Promise<Linter.Config[]>;
}
