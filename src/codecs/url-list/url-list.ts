/**
 * A list of URLs, one per line. A name may follow after a tab; empty lines and lines that begin with `#` are ignored.
 *
 *     # vendors
 *     https://acme.example/
 *     https://docs.example/	docs
 */

import { canParseUrl } from '../primitives/can-parse-url.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';

export interface ListedUrl {
  /** From 1. */
  readonly line: number;
  readonly url: string;
  readonly name?: string;
}

const MAX_URLS = 100_000;
const SHOWN = 100;

/** All URLs. A single invalid line refuses the whole list. */
export function decodeUrlList(text: string): Result<readonly ListedUrl[]> {
  const urls: ListedUrl[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (raw.trim() === '' || raw.trimStart().startsWith('#')) continue;
    const line = index + 1;
    const [url = '', name, ...rest] = raw.split('\t').map((part) => part.trim());
    if (!/^https?:\/\/\S+$/i.test(url) || !canParseUrl(url)) {
      return refuse('URLS-LINE', `Line ${line}: "${raw.trim().slice(0, SHOWN)}" is not an absolute http(s) URL.`);
    }
    if (rest.length > 0) return refuse('URLS-LINE', `Line ${line}: there is more behind the URL than a name.`);
    if (urls.length === MAX_URLS) return refuse('URLS-LINE', `Line ${line}: there are more than ${MAX_URLS} URLs.`);
    urls.push({ line, url, ...(name !== undefined && name !== '' && { name }) });
  }
  return accept(urls);
}

export function encodeUrlList(urls: readonly Omit<ListedUrl, 'line'>[]): string {
  return urls.map(({ url, name }) => (name === undefined ? `${url}\n` : `${url}\t${name}\n`)).join('');
}
