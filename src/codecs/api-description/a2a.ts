import { isRecord } from '../primitives/json-record.ts';
import type { DecodedDescription, Operation } from './description.ts';
import { get, getList, getText, getVersion, textsIn } from './json-tree.ts';

/**
 * An A2A agent card. Each skill is an operation. It has no schema, but names its input and output media types.
 *
 * Spec: https://a2a-protocol.org/latest/specification/
 */
export function isA2aCard(tree: unknown): boolean {
  return isRecord(tree) && Array.isArray(get(tree, 'skills')) && typeof get(tree, 'name') === 'string';
}

export function decodeA2aCard(tree: unknown): DecodedDescription {
  const version = getVersion(tree);
  const operations = getList(tree, 'skills').map((skill, index) => operationOf(skill, tree, `/skills/${index}`));
  return { ok: true, value: { format: 'a2a', ...(version !== undefined && { version }), operations } };
}

function operationOf(skill: unknown, card: unknown, place: string): Operation {
  const id = getText(skill, 'id');
  const hasId = id !== undefined && id !== '';
  return {
    endpointId: `a2a:${id ?? place}`,
    protocol: 'a2a',
    operation: id ?? place,
    responses: [],
    traits: {
      input: modesOf(skill, 'inputModes') ?? modesOf(card, 'defaultInputModes') ?? [],
      output: modesOf(skill, 'outputModes') ?? modesOf(card, 'defaultOutputModes') ?? [],
      address: addressesOf(card),
    },
    presence: () => 'unstated',
    ...(!hasId && { flaw: { place, reason: 'it has no id' } }),
  };
}

function modesOf(value: unknown, key: string): string[] | undefined {
  const modes = get(value, key);
  return Array.isArray(modes) ? textsIn(modes).sort() : undefined;
}

/** The addresses of the agent, under the field names of all versions of the card. */
function addressesOf(card: unknown): string[] {
  const interfaces = ['supportedInterfaces', 'additionalInterfaces', 'interfaces'].flatMap((key) => getList(card, key));
  const urls = [get(card, 'url'), ...interfaces.map((each) => get(each, 'url'))];
  return [...new Set(textsIn(urls))].sort();
}
