import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const onlyOn = (files, configs) =>
	[configs].flat().map((config) => ({ ...config, files: config.files ?? files }));

/**
 * Two layers. What is published (nodes, credentials, package.json) is held to both n8n plugins, the
 * newer one at its newest version; `scripts/lint/verificationScan.ts` then runs the verification
 * scan itself. The rest is held to typescript-eslint. Suppressions have no effect anywhere.
 */
export default tseslint.config(
	{ ignores: ['**/dist/**', '**/node_modules/**', '.data/**', '.tmp/**', 'coverage/**'] },
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
	...onlyOn(['**/*.ts'], [js.configs.recommended, ...tseslint.configs.recommended]),
	{
		files: ['**/*.ts'],
		rules: {
			'no-undef': 'off',
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
			eqeqeq: ['error', 'always'],
		},
	},
	...onlyOn(
		['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'],
		n8nCommunityNodesPlugin.configs.recommended,
	),
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: { 'no-console': 'error' },
	},
	{
		files: ['package.json'],
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
		rules: { ...n8nNodesBase.configs.community.rules },
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// Both are for n8n's own nodes, or replaced by the newer plugin; the scan switches them off too.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// As in the scan: enum values and known maxima are right for community nodes.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);
