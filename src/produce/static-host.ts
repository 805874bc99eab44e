import type { Artifact, HeaderRule } from '../model/artifact.ts';

export const HEADERS_FILE = '_headers';

const BEGIN = (verb: string) => `# tidings: begin (written by tidings ${verb}; rules outside these lines are yours)`;
const END = '# tidings: end';
const OWN_BLOCK = /^# tidings: begin[^\n]*\n(?:[^\n]*\n)*?# tidings: end[^\n]*(?:\n|$)/gm;

/**
 * The `_headers` file of Netlify, Cloudflare Pages and others: media type and cache rule of each file.
 *
 * The site's own rules, given as Latin-1 so that no byte is lost, stay as they are; ours follow in a marked block.
 */
export function publishHeaders(ownLatin1: string, files: readonly HeaderRule[], site: URL, verb = 'publish'): Artifact {
  const kept = ownLatin1.replace(OWN_BLOCK, '');
  const rules = files.map(({ path, mediaType, cacheControl, cdnCacheControl, isOpen, link }) => {
    const headers = [
      ['Content-Type', mediaType],
      ['Cache-Control', cacheControl],
      ['CDN-Cache-Control', cdnCacheControl],
      ['Access-Control-Allow-Origin', isOpen ? '*' : undefined],
      ['Link', link],
    ];
    const lines = headers.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name}: ${value}\n`]));
    return `${site.pathname}${path}\n${lines.join('')}`;
  });
  const separator = kept === '' || kept.endsWith('\n') ? '' : '\n';
  const text = `${kept}${separator}${BEGIN(verb)}\n${rules.join('')}${END}\n`;
  return {
    path: HEADERS_FILE,
    mediaType: 'text/plain; charset=utf-8',
    cacheControl: 'no-store',
    bytes: Buffer.from(text, 'latin1'),
  };
}

/** Tells GitHub Pages to serve folders whose name begins with a dot. */
export const NO_JEKYLL: Artifact = {
  path: '.nojekyll',
  mediaType: 'text/plain; charset=utf-8',
  cacheControl: 'no-store',
  bytes: new Uint8Array(),
};
