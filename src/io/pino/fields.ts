import { TidingsError } from '../../errors/tidings-error.ts';
import type { LogFields } from '../../hub/watch/logger.ts';

const SECRET_NAME =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:admin|access|api)?[-_]?token|pass(?:word|wd|phrase)|secret|api[-_]?key)$/i;
const HIDDEN = '[hidden]';
/** User and password in a URL; the scheme is bounded so that no text makes this slow. */
const URL_CREDENTIALS = /([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@]*(?:@[^\s/?#@]*)*@/gi;
const BEARER_TOKEN = /\b(bearer\s+)[\x21-\x7e]+/gi;
const HUB_TOKEN = /\btdg_[\w-]{8,}/g;
/** Deeper than anything that is logged on purpose. */
const MAX_DEPTH = 5;
const MAX_CHARACTERS = 8192;
const MAX_ENTRIES = 100;

/** Fields as they may be seen: plain values without secrets, of a size that suits a line. */
export function cleanFields(fields: LogFields): Record<string, unknown> {
  return cleanEntries(Object.entries(fields), 1);
}

/** Text without the credentials that URLs and headers carry. */
export function cleanText(text: string): string {
  let clean = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  if (clean.includes('://')) clean = clean.replace(URL_CREDENTIALS, '$1');
  if (clean.includes('tdg_')) clean = clean.replace(HUB_TOKEN, `tdg_${HIDDEN}`);
  return clean.replace(BEARER_TOKEN, `$1${HIDDEN}`);
}

function cleanEntries(entries: readonly (readonly [string, unknown])[], depth: number): Record<string, unknown> {
  return Object.fromEntries(
    entries
      .slice(0, MAX_ENTRIES)
      .map(([name, value]) => [name, SECRET_NAME.test(name) ? HIDDEN : cleanValue(value, depth)]),
  );
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[…]';
  if (value instanceof Error) return cleanError(value, depth);
  if (value instanceof URL) return cleanText(value.href);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((item) => cleanValue(item, depth + 1));
  return cleanEntries(Object.entries(value), depth + 1);
}

function cleanError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  return {
    name,
    message: cleanText(message),
    ...('code' in error && { code: cleanValue(error.code, depth + 1) }),
    // One that is thrown on purpose says it all in its message.
    ...(stack !== undefined && !(error instanceof TidingsError) && { stack: cleanText(stack) }),
    ...(cause !== undefined && { cause: cleanValue(cause, depth + 1) }),
  };
}
