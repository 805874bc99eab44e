import { hash } from 'node:crypto';

/** Signs that a disk somewhere does not take, or that mean something in a path. */
const UNSAFE = /[^\p{L}\p{N}\p{M}._~%@+,=()!$&'-]/gu;
/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const MAX_NAME = 150;
const HASH_LENGTH = 8;

/**
 * Where the file of a page lies: `<host>/<path>.md`, `index.md` for a folder. What is no file name, and a query, make it one with a short hash of the
 * address behind it.
 *
 * @example
 * pageFileName('https://docs.example/guide/start'); // 'docs.example/guide/start.md'
 * pageFileName('https://docs.example/guide/?page=2'); // 'docs.example/guide/index-page=2~5c7d1a90.md'
 */
export function pageFileName(url: string): string {
  const { pathname, search } = new URL(url);
  const folders = pathname.slice(1).split('/');
  const last = folders.pop() || 'index';
  const name = search === '' ? last : `${last}-${search.slice(1)}`;
  const file = safeName(name, search === '' ? undefined : url);
  return [hostName(url), ...folders.map((folder) => safeName(folder)), `${file}.md`].join('/');
}

/** Another one, for where the first is taken: no two addresses have the same. */
export function hashedFileName(url: string): string {
  const { pathname } = new URL(url);
  const words = pathname.slice(1).replaceAll('/', '-') || 'index';
  return `${hostName(url)}/${safeName(words, url)}.md`;
}

/** With its port, as it stands in the address. */
function hostName(url: string): string {
  return new URL(url).host.replace(/[^\p{L}\p{N}._:[\]-]/gu, '_') || '_';
}

/** With a hash of `unique` where that is given, and of the name itself where it is not kept as it is. */
function safeName(name: string, unique?: string): string {
  const safe = name
    .replace(UNSAFE, '_')
    .slice(0, MAX_NAME)
    .replace(/[. ]+$/, '');
  const isKept = safe === name && safe !== '' && !DEVICE.test(safe);
  if (isKept && unique === undefined) return safe;
  return `${safe}~${hash('sha256', unique ?? name, 'hex').slice(0, HASH_LENGTH)}`;
}
