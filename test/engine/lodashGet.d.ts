/** n8n's credential test reads bodies with it; the package brings no types. */
declare module 'lodash/get' {
	export default function get(value: unknown, path: string): unknown;
}
