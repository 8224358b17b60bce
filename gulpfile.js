const { rm } = require('node:fs/promises');
const { dest, parallel, src } = require('gulp');

// Everything in the package that tsc does not write. `encoding: false` keeps the bytes as they are.
const icons = () => src('icons/**/*.svg', { encoding: false }).pipe(dest('dist/icons'));

const codex = () => src('nodes/**/*.node.json', { encoding: false }).pipe(dest('dist/nodes'));

const outputSchemas = () =>
	src('nodes/**/__schema__/**/*.json', { encoding: false }).pipe(dest('dist/nodes'));

const clean = async () => await rm('dist', { recursive: true, force: true });

exports.clean = clean;
exports.assets = parallel(icons, codex, outputSchemas);
