import { parseDictionary } from '../primitives/structured-dictionary.ts';

/**
 * A part that a signature covers: a derived component (`@authority`), a field (`content-digest`), or a member of a dictionary field
 * (`key`).
 */
export interface CoveredComponent {
  /** Lower case. */
  readonly name: string;
  readonly key?: string;
  /** In the signature of a response: the value comes from the request. */
  readonly req?: true;
}

/** A request, or a response with the request that it answers. */
export interface SignedMessage {
  /** As sent. */
  readonly method: string;
  readonly url: URL;
  /** Names are lower case; several lines of one field are joined by `, `. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The identifier in the list and before its value: `"signature-agent";key="sig1"`. */
export function writeIdentifier({ name, key, req }: CoveredComponent): string {
  return `"${name}"${key === undefined ? '' : `;key="${key}"`}${req === true ? ';req' : ''}`;
}

const DERIVED: Readonly<Record<string, (message: SignedMessage) => string>> = {
  '@method': ({ method }) => method,
  '@target-uri': ({ url }) => withoutHash(url),
  // The host of a URL is already in lower case and without the default port of its scheme (RFC 9421 §2.2.3).
  '@authority': ({ url }) => url.host,
  '@scheme': ({ url }) => url.protocol.slice(0, -1),
  '@path': ({ url }) => url.pathname || '/',
  '@query': ({ url }) => url.search || '?',
  '@request-target': ({ url }) => `${url.pathname}${url.search}`,
};

export function isDerived(name: string): boolean {
  return Object.hasOwn(DERIVED, name);
}

/** Undefined if the message does not have it. */
export function componentValue({ name, key }: CoveredComponent, message: SignedMessage): string | undefined {
  if (name.startsWith('@')) return key === undefined && isDerived(name) ? DERIVED[name]?.(message) : undefined;
  const field = Object.hasOwn(message.fields, name) ? message.fields[name] : undefined;
  if (field === undefined) return undefined;
  const text = key === undefined ? trimmed(field) : parseDictionary(field)?.get(key)?.text;
  return text === undefined || !isPlain(text) ? undefined : text;
}

function withoutHash(url: URL): string {
  return url.href.split('#', 1)[0] ?? '';
}

/** Joins folded lines (RFC 9421 §2.1). */
function trimmed(field: string): string {
  return field.replaceAll(/[ \t]*\r?\n[ \t]+/g, ' ').replace(/^[ \t]+|[ \t]+$/g, '');
}

/** Signed text is ASCII and must not contain line breaks. */
function isPlain(text: string): boolean {
  return /^[\t -~]*$/.test(text);
}
