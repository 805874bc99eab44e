import { hash } from 'node:crypto';

/** Characters that some file systems refuse or that have a meaning in a path. */
const UNSAFE = /[^\p{L}\p{N}\p{M}._~%@+,=()!$&'-]/gu;
/** Names that Windows reserves for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const MAX_NAME = 150;
const HASH_LENGTH = 8;

/**
 * The path of the file of a page: `<host>/<path>.md`, `index.md` for a folder. If the URL has a query or its path is not a valid file name, a short
 * hash of the URL is appended.
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

/** The alternative if the first name is taken: unique for each URL. */
export function hashedFileName(url: string): string {
  const { pathname } = new URL(url);
  const words = pathname.slice(1).replaceAll('/', '-') || 'index';
  return `${hostName(url)}/${safeName(words, url)}.md`;
}

/** With its port, as in the URL. */
function hostName(url: string): string {
  return new URL(url).host.replace(/[^\p{L}\p{N}._:[\]-]/gu, '_') || '_';
}

/** With a hash of `unique` if given, or of the name itself if it had to be changed. */
function safeName(name: string, unique?: string): string {
  const safe = name
    .replace(UNSAFE, '_')
    .slice(0, MAX_NAME)
    .replace(/[. ]+$/, '');
  const isKept = safe === name && safe !== '' && !DEVICE.test(safe);
  if (isKept && unique === undefined) return safe;
  return `${safe}~${hash('sha256', unique ?? name, 'hex').slice(0, HASH_LENGTH)}`;
}
