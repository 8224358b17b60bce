import { ExecuteContext, RoutingNode } from 'n8n-core';
import get from 'lodash/get';
import {
	createRunExecutionData,
	NodeHelpers,
	Workflow,
	type IAuthenticateRuleResponseCode,
	type IAuthenticateRuleResponseSuccessBody,
	type ICredentialDataDecryptedObject,
	type IExecuteData,
	type INode,
	type INodeCredentialTestResult,
	type INodeType,
	type INodeTypes,
	type ITaskDataConnections,
} from 'n8n-workflow';

import { additionalDataWith, loadPackage, TestCredentials } from './engine';

/**
 * Tests a credential as n8n's editor does: the steps of its CredentialsTester for a credential
 * with a test request, over the same routing node and the same request helper. Only the database
 * around it is missing.
 */
export async function testCredential(
	typeName: string,
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const { credentials: types } = await loadPackage();
	const test = types.get(typeName)?.test;
	if (test === undefined) throw new Error(`the credential ${typeName} has no test`);
	const nodeType: INodeType = {
		description: {
			displayName: 'No Operation',
			name: 'n8n-nodes-base.noOp',
			group: ['organization'],
			version: 1,
			description: '',
			defaults: { name: 'No Operation' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: typeName, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					routing: { request: test.request },
					default: '',
				},
			],
		},
	};
	const node: INode = {
		id: 'temp',
		parameters: {},
		name: 'Temp-Node',
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [0, 0],
		credentials: { [typeName]: { id: '1', name: 'Test' } },
	};
	const nodeTypes: INodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => NodeHelpers.getVersionedNodeType(nodeType, 1),
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const inputData: ITaskDataConnections = { main: [[{ json: {} }]] };
	const executeData: IExecuteData = { node, data: {}, source: null };
	const context = new ExecuteContext(
		workflow,
		node,
		additionalDataWith(new TestCredentials(types, {}), 'credential-test'),
		'internal',
		createRunExecutionData({}),
		0,
		[],
		inputData,
		executeData,
		[],
	);
	const routing = new RoutingNode(context, nodeType, {
		id: '1',
		name: 'Test',
		type: typeName,
		data,
	});
	const rules: Array<IAuthenticateRuleResponseCode | IAuthenticateRuleResponseSuccessBody> =
		test.rules ?? [];

	let response: Awaited<ReturnType<RoutingNode['runNode']>>;
	try {
		response = await routing.runNode();
	} catch (error) {
		const { cause, message } = error as {
			cause?: { response?: { status: number; statusText?: string }; code?: string };
			message: string;
		};
		if (cause?.response !== undefined) {
			const { status, statusText } = cause.response;
			const rule = rules.find(
				({ type, properties }) => type === 'responseCode' && properties.value === status,
			);
			if (rule !== undefined) {
				return { status: 'Error', message: rule.properties.message as string };
			}
			if (status < 199 || status > 299) {
				return { status: 'Error', message: statusText || `Received HTTP status code: ${status}` };
			}
		} else if (cause?.code !== undefined) {
			return { status: 'Error', message: cause.code };
		}
		return { status: 'Error', message };
	}
	for (const rule of rules) {
		if (rule.type !== 'responseSuccessBody') continue;
		const body = response![0]![0]!.json;
		if (get(body, rule.properties.key as string) === rule.properties.value) {
			return { status: 'Error', message: rule.properties.message as string };
		}
	}
	return { status: 'OK', message: 'Connection successful!' };
}
