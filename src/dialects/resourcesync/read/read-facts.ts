import { TidingsError } from '../../../errors/tidings-error.ts';
import { decodeText } from '../../../extract/decode-html.ts';
import { readBytes } from '../../../fetch/read-text.ts';
import { charset } from '../../../fetch/response-headers.ts';
import type { FoundCollection } from './find-collections.ts';
import type { CollectionFacts, KnownCollection, Metadata } from './harvested.ts';
import { metadataIn } from './metadata.ts';
import { type DocumentPorts, fetchOnSite } from './open-document.ts';

export interface FactPorts extends Pick<DocumentPorts, 'http' | 'signal' | 'sites' | 'limits'> {
  readonly now: () => number;
  /** What this run has requested, by address: collections share the metadata of their site. */
  readonly asked: Map<string, Metadata | undefined>;
}

type Facts = Pick<CollectionFacts, 'title' | 'author' | 'site' | 'metadataMs'>;

/** Metadata seldom changes. */
const ASKED_EVERY_MS = 24 * 3600_000;
const MAX_BYTES = 256 * 1024;
const ACCEPT = 'application/ld+json, application/json, text/html;q=0.9, application/xml;q=0.9, */*;q=0.5';

/** Reads the metadata that `describedby` leads to, at most once a day. If that fails, the known metadata stays (RS-U9). */
export async function factsOf(
  { describedBy, siteDescribedBy }: FoundCollection,
  known: KnownCollection | undefined,
  ports: FactPorts,
): Promise<Facts> {
  const nowMs = ports.now();
  const { title, author, site, metadataMs } = known ?? {};
  const before = { ...(title !== undefined && { title }), ...(author !== undefined && { author }) };
  if (describedBy === undefined && siteDescribedBy === undefined) return {};
  if (metadataMs !== undefined && metadataMs <= nowMs && nowMs - metadataMs < ASKED_EVERY_MS) {
    return { ...before, ...(site !== undefined && { site }), metadataMs };
  }
  const own = describedBy === undefined ? {} : ((await metadataAt(describedBy, ports)) ?? before);
  const ofSite = siteDescribedBy === undefined ? {} : ((await metadataAt(siteDescribedBy, ports)) ?? site ?? {});
  return { ...own, site: ofSite, metadataMs: nowMs };
}

async function metadataAt(url: string, ports: FactPorts): Promise<Metadata | undefined> {
  if (!ports.asked.has(url)) ports.asked.set(url, await readMetadata(url, ports));
  return ports.asked.get(url);
}

async function readMetadata(url: string, ports: FactPorts): Promise<Metadata | undefined> {
  if (!/^https?:/i.test(url)) return undefined;
  try {
    const response = await fetchOnSite(url, { accept: ACCEPT }, { ...ports.limits, maxBytes: MAX_BYTES }, ports);
    if (response.status !== 200) {
      await response.discard();
      return undefined;
    }
    const text = decodeText(await readBytes(response, { maxBytes: MAX_BYTES }), charset(response.headers));
    return text.ok ? metadataIn(text.value) : undefined;
  } catch (error) {
    if (error instanceof TidingsError && !ports.signal.aborted) return undefined;
    throw error;
  }
}
