/** Tests of the nodes: pure functions, and the nodes in n8n's own engine against the running service. */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test/unit', '<rootDir>/test/engine'],
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.[cm]?tsx?$': [
			'@swc/jest',
			{
				jsc: {
					target: 'es2022',
					parser: { syntax: 'typescript', decorators: true },
					transform: { legacyDecorator: true, decoratorMetadata: true },
				},
				module: { type: 'commonjs' },
			},
		],
	},
	// One after the other: the engine tests start real servers, and the machine may have two cores.
	maxWorkers: 2,
	testTimeout: 30_000,
};
