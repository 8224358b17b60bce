import type { FieldType, ResourceMapperField } from 'n8n-workflow';

import {
	isFileNameParameter,
	isMimeTypeParameter,
	type ParameterKind,
	type ToolParameter,
} from './inputSchema';

const TYPES: Record<ParameterKind, FieldType> = {
	text: 'string',
	id: 'string',
	integer: 'number',
	number: 'number',
	boolean: 'boolean',
	date: 'dateTime',
	dateTime: 'dateTime',
	choice: 'options',
	list: 'array',
	object: 'object',
	// The name of the field that holds the file.
	file: 'string',
	// Text, or JSON: n8n has no field that takes both.
	any: 'string',
};

const LONGEST_LABEL = 140;
const FILE_LABEL = 'name of the input field with the file';

/**
 * Text of the service inside the node's settings. n8n evaluates every text there that begins with
 * `=`, and looks for `$fromAI` in all of them.
 */
function harmless(text: string): string {
	return text.replace(/\$fromAI/gi, 'fromAI').replace(/^[=\s]+/, '');
}

function isHarmless(text: string): boolean {
	return !text.startsWith('=') && !/\$fromAI/i.test(text);
}

function labelOf({ name, kind, description }: ToolParameter): string {
	const hints = { file: FILE_LABEL, any: 'text or JSON' } as Partial<Record<ParameterKind, string>>;
	const about = [hints[kind], description].filter((text) => text !== undefined && text !== '');
	const label = about.length === 0 ? name : `${name} (${about.join('. ')})`;
	return harmless(label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL)}…` : label);
}

function defaultOf({ kind, defaultValue }: ToolParameter): string | number | boolean | undefined {
	switch (kind) {
		case 'boolean':
			return typeof defaultValue === 'boolean' ? defaultValue : undefined;
		case 'integer':
		case 'number':
			return typeof defaultValue === 'number' ? defaultValue : undefined;
		case 'text':
		case 'choice':
			if (typeof defaultValue === 'string')
				return isHarmless(defaultValue) ? defaultValue : undefined;
			return kind === 'choice' && typeof defaultValue === 'number' ? defaultValue : undefined;
		default:
			return undefined;
	}
}

/**
 * The fields of n8n's resource mapper for the parameters of a tool. The name and the type of a file
 * are no duty beside the file: they are taken from it. A parameter whose name n8n would evaluate is
 * left to JSON.
 */
export function mapperFields(parameters: readonly ToolParameter[]): ResourceMapperField[] {
	const takesFile = parameters.some(({ kind }) => kind === 'file');
	return parameters
		.filter(({ name }) => isHarmless(name))
		.map((parameter) => {
			const { name, kind, required, choices } = parameter;
			const comesWithFile =
				takesFile && (isFileNameParameter(parameter) || isMimeTypeParameter(parameter));
			const defaultValue = defaultOf(parameter);
			return {
				id: name,
				displayName: labelOf(parameter),
				required: required && !comesWithFile,
				defaultMatch: false,
				canBeUsedToMatch: false,
				display: true,
				type: TYPES[kind],
				...(choices === undefined
					? {}
					: {
							options: choices
								.filter((value) => isHarmless(String(value)))
								.map((value) => ({ name: String(value), value })),
						}),
				...(defaultValue === undefined ? {} : { defaultValue }),
			};
		});
}
