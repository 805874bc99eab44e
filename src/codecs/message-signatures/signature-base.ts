/**
 * HTTP Message Signatures: the signed parts of a request.
 *
 *     "@authority": example.com
 *     "signature-agent";key="sig1": "https://hub.example/.well-known/http-message-signatures-directory"
 *     "@signature-params": ("@authority" "signature-agent";key="sig1");created=1735689600;keyid="poqk…";tag="web-bot-auth"
 *
 * One line for each component in list order, joined by line feeds, without one at the end.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc9421 §2
 */
import { accept, type Result, refuse } from '../primitives/result.ts';
import { type CoveredComponent, componentValue, type SignedMessage, writeIdentifier } from './components.ts';

/** A parameter of a signature. Parameters are written in the given order. */
export type SignatureParameter = readonly [name: string, value: string | number];

export interface SignatureInput {
  readonly components: readonly CoveredComponent[];
  readonly parameters: readonly SignatureParameter[];
}

/** The list of components with its parameters, as in `Signature-Input`. */
export function writeSignatureInput({ components, parameters }: SignatureInput): string {
  const list = components.map(writeIdentifier).join(' ');
  const behind = parameters.map(
    ([name, value]) => `;${name}=${typeof value === 'number' ? value : fieldString(value)}`,
  );
  return `(${list})${behind.join('')}`;
}

/** The text to sign. Refuses a component that the message does not have, and a repeated one. */
export function signatureBase(input: SignatureInput, message: SignedMessage): Result<string> {
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const component of input.components) {
    const identifier = writeIdentifier(component);
    if (seen.has(identifier)) return refuse('WBA-3', `${identifier} is covered twice.`);
    seen.add(identifier);
    const value = componentValue(component, message);
    if (value === undefined) return refuse('WBA-4', `The message has no ${identifier}.`);
    lines.push(`${identifier}: ${value}`);
  }
  return accept([...lines, `"@signature-params": ${writeSignatureInput(input)}`].join('\n'));
}

/** A string of a structured field. */
export function fieldString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
