import { FEED_PATH } from '../codecs/agent-feed/wire.ts';
import { DISCOVERY_PATH } from '../codecs/aicf/wire.ts';
import { sourceIdOf } from '../model/source.ts';

export type WebKind = 'site' | 'page' | 'feed';

const FEED = /\.(?:ndjson|jsonl)$/i;
/** What ends like this is one document; nothing stands below it. */
const DOCUMENT = /\.(?:html?|xhtml|php\d?|aspx?|jsp|pdf|txt|md|markdown|json|xml)$/i;
const MAX_ID_LENGTH = 64;

/** Whatever begins as an address does, so that `ftp://…` is not looked for on the disk. */
export function isAddress(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(target);
}

/** What a URL most probably is, where nobody said. */
export function kindOfUrl(url: URL): WebKind {
  if (looksLikeAicf(url) || dialectOfUrl(url) !== undefined) return 'feed';
  return url.search !== '' || DOCUMENT.test(url.pathname) ? 'page' : 'site';
}

/** The language of a feed, where its address says so. */
export function dialectOfUrl({ pathname }: URL): string | undefined {
  return pathname === FEED_PATH ? 'agent-feed' : undefined;
}

/** By its address alone. */
export function looksLikeAicf({ pathname }: URL): boolean {
  return FEED.test(pathname) || pathname.endsWith(DISCOVERY_PATH);
}

/** Gives out ids that nobody has: the host, else the host and the path, else with a number behind. */
export function createIdMaker(taken: Iterable<string>): (url: URL) => string {
  const used = new Set([...taken, 'all']);
  const numbers = new Map<string, number>();
  return (url) => {
    const host = cut(sourceIdOf(url), MAX_ID_LENGTH);
    const path = cut(`${host}_${wordsOf(url.pathname + url.search)}`, MAX_ID_LENGTH);
    let id = [host, path].find((candidate) => !used.has(candidate));
    for (let number = numbers.get(path) ?? 2; id === undefined; number += 1) {
      const candidate = `${cut(path, MAX_ID_LENGTH - 8)}_${number}`;
      if (!used.has(candidate)) id = candidate;
      numbers.set(path, number + 1);
    }
    used.add(id);
    return id;
  };
}

function wordsOf(path: string): string {
  return path
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '');
}

/** Underscores at the end say nothing. */
function cut(id: string, length: number): string {
  return id.slice(0, length).replace(/_+$/, '');
}
