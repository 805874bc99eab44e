import type { SyncedPage } from './sink.ts';

/**
 * A page as a Markdown file with front matter.
 *
 *     ---
 *     url: https://docs.example/limits
 *     title: "Limits: what to ask for"
 *     checksum: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
 *     updated: 2026-11-17T12:00:00.000Z
 *     source: docs_example
 *     ---
 *
 *     # Limits: what to ask for
 */
export function pageFile({ url, title, checksum, updated, source, markdown }: SyncedPage): string {
  const facts = Object.entries({ url, title, checksum, updated, source });
  const lines = facts.map(([name, value]) => `${name}: ${yamlScalar(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${markdown}\n`;
}

/** The URL in the front matter of a file; undefined if Tidings did not write the file. */
export function pageFileUrl(text: string): string | undefined {
  const [, header = ''] = /^---\n((?:[a-z]+: .*\n){5,20})---\n/.exec(text.slice(0, MAX_HEADER)) ?? [];
  const values = new Map(header.split('\n').map((line) => [line.split(': ', 1)[0], line.replace(/^[a-z]+: /, '')]));
  const isOurs = ['title', 'checksum', 'updated', 'source'].every((name) => values.has(name));
  const url = values.get('url');
  if (!isOurs || url === undefined) return undefined;
  return url.startsWith('"') ? unquoted(url) : url;
}

const MAX_HEADER = 64 * 1024;

/** Words that need no quotes, in YAML 1.1 and 1.2. */
const PLAIN = /^[A-Za-z][\p{L}\p{N} .,;:/?%&=+@()_~#'’–—-]*$/u;
/** … except those with a special meaning. */
const MEANT = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function yamlScalar(value: string): string {
  if (TIME.test(value)) return value;
  const isPlain = PLAIN.test(value) && !MEANT.test(value) && !/:(?: |$)| #|\s$/.test(value);
  return isPlain ? value : quoted(value);
}

/** JSON is valid YAML except for some line separators and for invalid characters. */
function quoted(value: string): string {
  const unsafe = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
  return JSON.stringify(value).replace(unsafe, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function unquoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
