/** One line of a robots.txt that says something. Any other line says nothing and ends nothing (RFC 9309 §2.2.4). */
export type RobotsRecord =
  | { readonly kind: 'user-agent'; readonly agent: string }
  | {
      readonly kind: 'allow' | 'disallow' | 'crawl-delay' | 'sitemap' | 'license' | UsageKind;
      readonly value: string;
    };

/** Lines that say what pages may be used for. */
export type UsageKind = 'content-usage' | 'content-signal';

type Kind = RobotsRecord['kind'];

/** The correct spellings and common misspellings. A misspelled `Allow` is ignored: it would allow more. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['allow', 'allow'],
  ['crawl-delay', 'crawl-delay'],
  ['sitemap', 'sitemap'],
  ['license', 'license'],
  ['content-usage', 'content-usage'],
  ['content-signal', 'content-signal'],
]);

/** For these, the colon may be missing if the line has two words. */
const WITHOUT_COLON: readonly (Kind | undefined)[] = ['user-agent', 'disallow'];

export function readRecord(line: string): RobotsRecord | undefined {
  const comment = line.indexOf('#');
  const said = (comment === -1 ? line : line.slice(0, comment)).trim();
  const colon = said.indexOf(':');
  const kind = colon === -1 ? undefined : KINDS.get(said.slice(0, colon).trim().toLowerCase());
  if (kind !== undefined) return recordOf(kind, said.slice(colon + 1).trim());

  const [first = '', second, ...more] = said.split(/\s+/, 3);
  const spelled = KINDS.get(first.toLowerCase());
  if (spelled === undefined || second === undefined || more.length > 0) return undefined;
  return WITHOUT_COLON.includes(spelled) ? recordOf(spelled, second) : undefined;
}

/**
 * The name in `Name/1.0 (and more)`, in lower case; empty if there is none. RFC 9309 §2.2.1 allows letters, `_` and `-`;
 * digits and letters of other scripts are kept, so that `Bot2` is never taken for `Bot`.
 */
export function agentName(text: string): string {
  if (/^\*(?:\s|$)/.test(text)) return '*';
  return /^[\w\u0080-\uffff-]*/.exec(text.trim())?.[0].toLowerCase() ?? '';
}

function recordOf(kind: Kind, value: string): RobotsRecord {
  return kind === 'user-agent' ? { kind, agent: agentName(value) } : { kind, value };
}
