/** Where a preview keeps the files that it adds to pages. No page of a site is there. */
export const PREVIEW_ASSETS = '/.tidings-preview/';

/** The only dot name that is served; the others are for tools. */
const SERVED_DOT = '.well-known';

/** The requested path as a file path without a leading slash; undefined if it cannot name a file. */
export function askedPath(target: string): string | undefined {
  const [path = ''] = target.split(/[?#]/);
  if (!path.startsWith('/')) return undefined;
  const names: string[] = [];
  for (const part of path.slice(1).split('/')) {
    const name = decoded(part);
    if (name === undefined || /^\.{1,2}$|[/\\\0]/.test(name)) return undefined;
    if (name.startsWith('.') && name !== SERVED_DOT) return undefined;
    names.push(name);
  }
  // A path with two slashes in a row names no file.
  return names.slice(0, -1).includes('') ? undefined : names.join('/');
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  atom: 'application/atom+xml',
  xml: 'application/xml',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  pdf: 'application/pdf',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

/** The media type as hosts guess it from the name. Discovery documents have no ending and are JSON. */
export function guessedMediaType(path: string): string {
  const [, ending = ''] = /\.([a-z0-9]+)$/i.exec(path) ?? [];
  const known = MEDIA_TYPES[ending.toLowerCase()];
  if (known !== undefined) return known;
  return path.startsWith(`${SERVED_DOT}/`) ? 'application/json' : 'application/octet-stream';
}
