/**
 * What an origin wants to be signed, in an answer that refuses an unsigned request.
 *
 *     Accept-Signature: sig1=("@authority" "@method");created;expires;nonce="b3k2pp5k7z-50gnwp.yemd";tag="web-bot-auth"
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc9421 §5.1
 */
import { type FieldValue, parseDictionary } from '../primitives/structured-dictionary.ts';
import { type CoveredComponent, isDerived } from './components.ts';

export const BOT_TAG = 'web-bot-auth';

/** A requested signature. */
export interface AskedSignature {
  readonly label: string;
  readonly components: readonly CoveredComponent[];
  /** Copied unchanged. */
  readonly nonce?: string;
  /** The key that the origin wants to be used. */
  readonly keyid?: string;
}

/** Fields that are never put into a signature that others see. */
const SECRET_FIELDS = ['authorization', 'cookie', 'proxy-authorization', 'set-cookie'];
const MOST_COMPONENTS = 16;

/**
 * The first signature for crawlers that a field requests, or why none can be made. Undefined if it requests nothing from crawlers.
 *
 * `hasField` says which fields our request has.
 */
export function decodeAcceptSignature(
  field: string,
  hasField: (name: string) => boolean,
): AskedSignature | string | undefined {
  const asked = [...(parseDictionary(field) ?? [])].find(([, value]) => stringOf(value, 'tag') === BOT_TAG);
  if (asked === undefined) return undefined;
  const [label, value] = asked;
  if (value.items === undefined) return `"${label}" is no list of components`;
  if (value.items.length > MOST_COMPONENTS) return `it asks for ${value.items.length} components`;
  const components: CoveredComponent[] = [];
  for (const item of value.items) {
    const component = componentOf(item);
    if (typeof component === 'string') return component;
    if (!isDerived(component.name) && !hasField(component.name)) return `a request has no "${component.name}"`;
    components.push(component);
  }
  const nonce = stringOf(value, 'nonce');
  const keyid = stringOf(value, 'keyid');
  return { label, components, ...(nonce !== undefined && { nonce }), ...(keyid !== undefined && { keyid }) };
}

/** Returns the reason if it cannot be covered. */
function componentOf({ kind, text, parameters }: FieldValue): CoveredComponent | string {
  const name = text.slice(1, -1);
  if (kind !== 'string' || name.includes('\\')) return `${text} is no name of a component`;
  if (SECRET_FIELDS.includes(name)) return `"${name}" is never signed`;
  const key = parameters?.get('key');
  const others = [...(parameters?.keys() ?? [])].filter((each) => each !== 'key');
  if (others.length > 0 || (key !== undefined && key.kind !== 'string'))
    return `${text} has parameters that are not known`;
  return { name, ...(key !== undefined && { key: key.text.slice(1, -1) }) };
}

function stringOf({ parameters }: FieldValue, name: string): string | undefined {
  const value = parameters?.get(name);
  return value?.kind === 'string' ? value.text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : undefined;
}
