import type { HeaderRule } from '../../../model/artifact.ts';
import { twinUrl } from './twin.ts';
import type { KnownTwin } from './twin-memory.ts';

const REVALIDATE = 'no-cache';
/** The media type has no default charset (RFC 7763). */
export const MARKDOWN = { mediaType: 'text/markdown; charset=utf-8', cacheControl: REVALIDATE };
export const PLAIN = { mediaType: 'text/plain; charset=utf-8', cacheControl: REVALIDATE };

/** One rule for each form of page address, not for each page: hosts accept about a hundred rules. */
export function headerRules(twins: readonly KnownTwin[], lists: readonly string[], site: URL): readonly HeaderRule[] {
  const paths = twins.flatMap(({ url, bytes }) => (bytes > 0 ? [url.slice(site.href.length)] : []));
  const has = (pattern: RegExp) => paths.some((path) => pattern.test(path));
  const announcing = (path: string, twin: string) => ({
    path,
    link: `<${site.pathname}${twin}>; rel="alternate"; type="text/markdown"`,
  });
  return [
    { path: 'llms.txt', ...PLAIN },
    ...(lists.some((path) => path.endsWith('/llms.txt')) ? [{ path: '*/llms.txt', ...PLAIN }] : []),
    ...lists.filter((path) => /-\d+\.txt$/.test(path)).map((path) => ({ path, ...PLAIN })),
    ...(paths.length > 0 ? [{ path: '*.md', ...MARKDOWN }] : []),
    ...(has(/^$/) ? [announcing('', 'index.html.md')] : []),
    ...(has(/\/$/) ? [announcing('*/', ':splat/index.html.md')] : []),
    ...(has(/\.html$/) ? [announcing('*.html', ':splat.html.md')] : []),
    ...(has(/\.htm$/) ? [announcing('*.htm', ':splat.htm.md')] : []),
  ];
}

/** A line that only the author of a site can add. */
export function linkSuggestion(site: URL): string {
  const link = `<link rel="alternate" type="text/markdown" href="${twinUrl(site.href)}">`;
  return `You may add to the head of each page where its Markdown is, here of the first one: ${link}`;
}
