import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { MAX_SITEMAP_BYTES } from '../codecs/sitemap/sitemap.ts';
import { importRefusedError } from '../errors/refusals.ts';
import { readBytes } from '../fetch/read-text.ts';
import { readPageFile } from '../io/files/page.ts';
import { gunzip } from '../io/zlib/gunzip.ts';
import { type HttpOptions, openPolite } from './open-http.ts';

export interface SourceListOptions extends HttpOptions {
  readonly signal: AbortSignal;
}

const DEADLINE_MS = 120_000;

/** The bytes of a list of sources: a file, `-` for standard input, or the answer of a URL. Gzip is unpacked. */
export async function readSourceList(from: string, options: SourceListOptions): Promise<Uint8Array> {
  const isUrl = /^https?:\/\//i.test(from) && canParseUrl(from);
  const bytes = isUrl
    ? await fetchList(new URL(from), options)
    : await readPageFile(from, { maxBytes: MAX_SITEMAP_BYTES });
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await gunzip(bytes, MAX_SITEMAP_BYTES);
  } catch {
    throw importRefusedError(from, `Its gzip data is damaged, or unpacks to more than ${MAX_SITEMAP_BYTES} bytes.`);
  }
}

/** Fetched like a sitemap: only if robots.txt allows it. */
async function fetchList(url: URL, options: SourceListOptions): Promise<Uint8Array> {
  await using ways = await openPolite(options);
  const { signal } = options;
  const response = await ways.client.get({ url, signal, maxBodyBytes: MAX_SITEMAP_BYTES, deadlineMs: DEADLINE_MS });
  if (response.status === 200) return await readBytes(response, { maxBytes: MAX_SITEMAP_BYTES });
  await response.discard();
  throw importRefusedError(url.href, `It answered with status ${response.status}.`);
}
