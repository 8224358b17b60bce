import { Type } from '@fastify/type-provider-typebox';

/** Parameters that several tools have. */

export const idParameter = (description: string) =>
	Type.Union([Type.Integer(), Type.String()], { description });

export const Format = Type.Optional(
	Type.Enum(['json', 'csv'], {
		type: 'string',
		default: 'json',
		description: 'json gives one object a row, csv one text with a header line.',
	}),
);

export type Format = 'json' | 'csv';
