import { hash } from 'node:crypto';

const FOLDER = 'resources';
/** Only characters that every file system accepts. */
const PLAIN = /^[\w.~%+,=@-]+(?:\/[\w.~%+,=@-]+)*$/;
const MAX_PART_LENGTH = 120;
const MAX_LENGTH = 400;

/**
 * File names of pages in a package. They resemble the paths on the site, so that an unpacked package is easy to browse. If an
 * address makes no valid name, or a name that another page has on a disk that ignores case, the name is a hash of the address.
 *
 * `urls` are pages of the site. The same URLs in the same order get the same names.
 */
export function packageNames(urls: readonly string[], site: URL): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const url of urls) {
    const name = ownName(url, site);
    const key = name?.toLowerCase();
    const above = key === undefined ? [] : foldersOf(key);
    const isTaken =
      key === undefined || files.has(key) || folders.has(key) || above.some((folder) => files.has(folder));
    if (name === undefined || isTaken) {
      names.set(url, `${FOLDER}/~${hash('sha256', url).slice(0, 32)}.html`);
      continue;
    }
    files.add(key);
    for (const folder of above) folders.add(folder);
    names.set(url, name);
  }
  return names;
}

/** Undefined if the address does not make a name that is safe everywhere. */
function ownName(url: string, site: URL): string | undefined {
  if (!url.startsWith(site.href)) return undefined;
  const path = url.slice(site.href.length);
  const served = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  const name = /\.x?html?$/i.test(served) ? served : `${served}.html`;
  const parts = name.split('/');
  const isPlain = PLAIN.test(name) && name.length <= MAX_LENGTH && parts.every(isPlainPart);
  return isPlain ? `${FOLDER}/${name}` : undefined;
}

function isPlainPart(part: string): boolean {
  return part.length <= MAX_PART_LENGTH && !part.startsWith('.') && !part.startsWith('~') && !part.endsWith('.');
}

function foldersOf(name: string): readonly string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, count) => parts.slice(0, count + 1).join('/'));
}
