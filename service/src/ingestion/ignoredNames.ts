/** Files that programs and systems leave in folders, in lower case. */
const SYSTEM_FILES = new Set(['thumbs.db', 'desktop.ini']);
/** Folders of storage devices and systems, in lower case. */
const SYSTEM_FOLDERS = new Set([
	'@eadir',
	'#recycle',
	'$recycle.bin',
	'system volume information',
	'lost+found',
]);
/** Names under which browsers and copying programs write until they are done. */
const TEMPORARY_ENDING = /\.(part|partial|filepart|crdownload|download|opdownload|tmp|temp|swp)$/;

/** Hidden files, temporary ones and those of the system: nothing is said about them. */
export function isIgnoredFile(name: string): boolean {
	const lower = name.toLowerCase();
	return (
		lower.startsWith('.') ||
		lower.startsWith('~$') ||
		lower.endsWith('~') ||
		TEMPORARY_ENDING.test(lower) ||
		SYSTEM_FILES.has(lower)
	);
}

/** Hidden folders and those of the system are no projects. */
export function isIgnoredFolder(name: string): boolean {
	return name.startsWith('.') || SYSTEM_FOLDERS.has(name.toLowerCase());
}
