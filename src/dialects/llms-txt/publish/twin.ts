import type { Page } from '../../../model/page.ts';

/** File systems accept no longer names. */
const MAX_NAME_BYTES = 255;

/**
 * The path of the Markdown twin of a page: its address with `.md` at the end, `index.html.md` for a folder. Undefined for an
 * address that is not a file of the site.
 */
export function twinPath(url: string, site: URL): string | undefined {
  if (!url.startsWith(site.href) || /[?#]/.test(url)) return undefined;
  const path = url.slice(site.href.length);
  try {
    const names = path.split('/').map(decodeURIComponent);
    const last = names.pop() ?? '';
    names.push(last === '' ? 'index.html.md' : `${last}.md`);
    return names.every(isFileName) ? names.join('/') : undefined;
  } catch {
    return undefined;
  }
}

export function twinUrl(url: string): string {
  return url.endsWith('/') ? `${url}index.html.md` : `${url}.md`;
}

function isFileName(name: string): boolean {
  return !/^\.{0,2}$|[/\\\0]/.test(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/** The page as our extractor reads it. The last line names the page, and shows that nobody wrote this by hand. */
export function twinText({ url, markdown }: Page): string {
  return `${markdown.trimEnd()}\n\n${markOf(url)}\n`;
}

/** Whether a file is a twin that a publish wrote: an author's file never ends like this. */
export function isTwinOf(url: string, bytes: Uint8Array): boolean {
  return Buffer.from(bytes).toString('utf8').trimEnd().endsWith(markOf(url));
}

function markOf(url: string): string {
  return `<!-- tidings: ${url.replaceAll('--', '%2D%2D')} -->`;
}
