import { decodeSitemap, FEED, MAX_SITEMAP_BYTES, NO_SITEMAP, type Sitemap } from '../codecs/sitemap/sitemap.ts';
import { RobotsDeniedError } from '../errors/crawl-error.ts';
import { AddressRefusedError, FetchError } from '../errors/fetch-error.ts';
import type { PoliteClient } from '../fetch/polite-client.ts';
import { readBytes } from '../fetch/read-text.ts';
import { charset } from '../fetch/response-headers.ts';

export interface SitemapPorts {
  readonly client: PoliteClient;
  /** Decompresses; fails if the result exceeds `maxBytes`. */
  readonly gunzip: (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;
  readonly signal: AbortSignal;
  readonly maxWaitMs: number;
}

/** What a file that may be a sitemap turned out to be. */
export type SitemapFile =
  | { readonly is: 'sitemap'; readonly url: URL; readonly sitemap: Sitemap; readonly bytes: number }
  /** The host says so clearly: 404, 410. */
  | { readonly is: 'absent' }
  /** Something exists that is not a sitemap, or access is denied. */
  | { readonly is: 'other'; readonly message: string }
  | { readonly is: 'feed'; readonly message: string }
  | { readonly is: 'failed'; readonly message: string };

const DEADLINE_MS = 120_000;
const ABSENT = [404, 410];
const BUSY = 429;

export async function readSitemapFile(url: URL, ports: SitemapPorts): Promise<SitemapFile> {
  const { client, signal, maxWaitMs } = ports;
  try {
    const response = await client.get({
      url,
      signal,
      maxWaitMs,
      maxBodyBytes: MAX_SITEMAP_BYTES,
      deadlineMs: DEADLINE_MS,
    });
    const { status } = response;
    if (status !== 200) await response.discard();
    if (ABSENT.includes(status)) return { is: 'absent' };
    if (status >= 400 && status < 500 && status !== BUSY)
      return { is: 'other', message: `It answered with status ${status}.` };
    if (status !== 200) return { is: 'failed', message: `It answered with status ${status}.` };

    const bytes = await unpack(await readBytes(response, { maxBytes: MAX_SITEMAP_BYTES }), ports);
    if (bytes === undefined)
      return { is: 'failed', message: 'Its gzip data is damaged, or unpacks to more than 50 MB.' };
    const decoded = decodeSitemap(bytes, charset(response.headers));
    if (decoded.ok) return { is: 'sitemap', url: response.url, sitemap: decoded.value, bytes: bytes.length };
    const [{ clause, message }] = decoded.issues;
    if (clause === FEED) return { is: 'feed', message };
    return { is: clause === NO_SITEMAP ? 'other' : 'failed', message };
  } catch (error) {
    signal.throwIfAborted();
    // If the site cannot be reached at all, the caller must hear why, not that there is no sitemap.
    if (!(error instanceof FetchError) || (error instanceof AddressRefusedError && error.url.host === url.host))
      throw error;
    const isForbidden = error instanceof RobotsDeniedError && error.retryAfterMs === undefined;
    return { is: isForbidden ? 'other' : 'failed', message: error.message };
  }
}

/** `sitemap.xml.gz` is often served as raw bytes, without a content-encoding. */
async function unpack(bytes: Uint8Array, { gunzip }: SitemapPorts): Promise<Uint8Array | undefined> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await gunzip(bytes, MAX_SITEMAP_BYTES);
  } catch {
    return undefined;
  }
}
