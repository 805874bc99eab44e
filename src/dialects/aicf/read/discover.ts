import { decodeAicfDiscovery, decodeEvent, isCompatibleVersion } from '../../../codecs/aicf/decode.ts';
import { AICF_DISCOVERY_PATH, type AicfDiscovery, DISCOVERY_MEDIA_TYPE } from '../../../codecs/aicf/wire.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { feedVersionError } from '../../../errors/source-trouble.ts';
import type { HttpResponse } from '../../../fetch/http-client.ts';
import { readBodyText } from '../../../fetch/read-text.ts';
import { conditionalHeaders, mediaType, validatorsOf } from '../../../fetch/response-headers.ts';
import { warn } from '../../diagnostic.ts';
import type { ReaderPorts } from '../../reader.ts';
import { refusal } from '../../refusal.ts';
import { type AicfMemory, decodeAicfMemory, type KeptDiscovery } from './aicf-memory.ts';
import { MAX_FEED_BYTES } from './open-feed.ts';

/** Where a source is read from: its discovery document, or a feed that was named directly. */
export interface Entry {
  readonly url: string;
  readonly discovery: Pick<AicfDiscovery, 'self' | 'ttl_seconds' | 'archives'>;
  /** Stored, so that the next poll can ask whether the document changed. */
  readonly kept?: KeptDiscovery;
  /** What is known about this source from earlier polls. */
  readonly known: AicfMemory | undefined;
}

const MAX_DISCOVERY_BYTES = 1024 * 1024;
export const FEED_FILE = /\.(?:ndjson|jsonl)$/i;

/**
 * Finds what the given URL offers (AICF-C1): the discovery document at the root of its origin, otherwise under its own path, otherwise the URL itself
 * if it is a discovery document or a feed.
 */
export async function findEntry(given: URL, ports: ReaderPorts): Promise<Entry> {
  if (FEED_FILE.test(given.pathname)) return feedEntry(given.href, ports);

  const tried: string[] = [];
  for (const url of discoveryCandidates(given)) {
    const entry = await readDiscovery(url, ports);
    if (entry !== undefined) return entry;
    tried.push(url);
  }
  const entry = tried.includes(given.href) ? undefined : await readNamed(given.href, ports);
  if (entry !== undefined) return entry;
  throw new FeedUnreadableError(given.href, `offers no AI Changefeed: ${tried.join(' and ')} answered 404.`, {
    status: 404,
  });
}

export function discoveryCandidates(given: URL): string[] {
  if (given.pathname.endsWith(AICF_DISCOVERY_PATH)) return [given.href];
  const folder = given.pathname.replace(/[^/]*\.[^/]*$/, '').replace(/\/+$/, '');
  const atRoot = new URL(AICF_DISCOVERY_PATH, given).href;
  return folder === '' ? [atRoot] : [atRoot, new URL(`${folder}${AICF_DISCOVERY_PATH}`, given).href];
}

/** Undefined if there is none at this place. */
async function readDiscovery(url: string, ports: ReaderPorts): Promise<Entry | undefined> {
  const known = decodeAicfMemory(await ports.remembered.memoryOf(url));
  const response = await ports.http.get({
    url: new URL(url),
    headers: {
      accept: `${DISCOVERY_MEDIA_TYPE}, */*;q=0.1`,
      ...conditionalHeaders(known?.discovery?.validators ?? {}),
    },
    maxBodyBytes: MAX_DISCOVERY_BYTES,
    signal: ports.signal,
  });
  if (response.status === 304 && known?.discovery !== undefined) {
    await response.discard();
    return { url, discovery: decode(url, known.discovery.text), kept: known.discovery, known };
  }
  if (response.status === 404 || response.status === 410) {
    await response.discard();
    return undefined;
  }
  if (response.status !== 200) throw await refusal(response, url, ports);

  const text = await readBodyText(response, { maxBytes: MAX_DISCOVERY_BYTES });
  const discovery = decode(url, text);
  expectMediaType(response, url, ports);
  return { url, discovery, kept: { text, validators: validatorsOf(response.headers) }, known };
}

function decode(url: string, text: string): AicfDiscovery {
  const decoded = decodeAicfDiscovery(text);
  if (!decoded.ok) {
    const issues = decoded.issues.map(({ clause, message }) => `${clause}: ${message}`).join(' ');
    throw new FeedUnreadableError(url, `is not a discovery document. ${issues}`);
  }
  const { aicf_version: version } = decoded.value;
  if (!isCompatibleVersion(version)) throw feedVersionError(url, version);
  return decoded.value;
}

/** The given URL may be a discovery document or a feed under a custom name. */
async function readNamed(url: string, ports: ReaderPorts): Promise<Entry | undefined> {
  const response = await ports.http.get({ url: new URL(url), maxBodyBytes: MAX_FEED_BYTES, signal: ports.signal });
  if (response.status === 404 || response.status === 410) {
    await response.discard();
    return undefined;
  }
  if (response.status !== 200) throw await refusal(response, url, ports);

  const start = await firstLine(response);
  if (decodeEvent(start).ok) return feedEntry(url, ports);
  return start.trimStart().startsWith('{') ? readDiscovery(url, ports) : undefined;
}

async function firstLine({ body }: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > MAX_DISCOVERY_BYTES || text.trimStart().includes('\n')) break;
  }
  return text.trimStart().split('\n')[0] ?? '';
}

async function feedEntry(url: string, ports: ReaderPorts): Promise<Entry> {
  return { url, discovery: { self: url }, known: decodeAicfMemory(await ports.remembered.memoryOf(url)) };
}

function expectMediaType(response: HttpResponse, url: string, ports: ReaderPorts): void {
  const type = mediaType(response.headers);
  if (type === DISCOVERY_MEDIA_TYPE) return;
  warn(
    ports,
    'media-type',
    `${url}: AICF-D2: it is served as ${type ?? 'nothing'}, not ${DISCOVERY_MEDIA_TYPE}; read all the same.`,
  );
}
