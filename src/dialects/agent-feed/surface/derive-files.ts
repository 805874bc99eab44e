import {
  type CardEndpoint,
  type CardSnapshot,
  encodeCard,
  findInCard,
  foreignMember,
} from '../../../codecs/agent-feed/encode-card.ts';
import { encodeDid } from '../../../codecs/agent-feed/encode-did.ts';
import { encodeAgentFeed } from '../../../codecs/agent-feed/encode-feed.ts';
import { summaryOf } from '../../../codecs/agent-feed/encode-payload.ts';
import { CARD_PATH, DID_PATH, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import type { Result } from '../../../codecs/primitives/result.ts';
import { SurfaceRefusedError } from '../../../errors/surface-error.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { EndpointRecord } from '../../../surface/endpoint-record.ts';
import { servedFile } from './served-file.ts';
import { factOf, tableOf } from './surface-facts.ts';
import type { EntryLine, SurfaceRecord } from './surface-record.ts';
import type { SurfaceSite } from './surface-site.ts';

export const ARCHIVE_PATH = '/.well-known/agent-feed-archive.xml';

/** The files in the folder; undefined if they do not exist. */
export interface ExistingFiles {
  readonly did: string | undefined;
  readonly card: string | undefined;
}

export interface DerivedFiles {
  /** In writing order: a reader that sees the new feed finds its keys and its snapshot. */
  readonly artifacts: readonly Artifact[];
  readonly warnings: readonly string[];
}

/**
 * Makes all served files from the record alone. What others wrote into the shared documents stays there.
 *
 * Throws if a shared document cannot be extended. For a feed that has ended it only warns, and leaves that document alone.
 */
export function deriveFiles(record: SurfaceRecord, site: SurfaceSite, existing: ExistingFiles): DerivedFiles {
  const endpoints = tableOf(site.origin, record.served).records();
  const keys = record.keys.map((key) => ({ ...key, isRevoked: record.revoked.has(key.id) }));
  const shared = [
    { path: DID_PATH, made: encodeDid(site.did, keys, existing.did) },
    {
      path: CARD_PATH,
      made: encodeCard(site.origin.host, snapshotOf(record, site, endpoints), existing.card),
    },
  ];
  const artifacts: Artifact[] = [];
  const warnings: string[] = [];
  for (const { path, made } of shared) {
    if (made.ok) artifacts.push(servedFile(path, new TextEncoder().encode(made.value), record));
    else if (record.status === 'active') throw new SurfaceRefusedError(path, whyNot(made), 'fix-input');
    else warnings.push(`${path} was left as it is. ${whyNot(made)}`);
  }
  if (record.archived.length > 0) artifacts.push(feedOf(ARCHIVE_PATH, record, record.archived, site));
  artifacts.push(feedOf(FEED_PATH, record, record.served, site));
  const stale = staleTexts(existing.card, record, site, endpoints);
  return { artifacts, warnings: [...warnings, ...replacedMember(existing.card), ...stale] };
}

function feedOf(path: string, record: SurfaceRecord, entries: readonly EntryLine[], { origin }: SurfaceSite): Artifact {
  const { status, migratedTo, updated = '1970-01-01T00:00:00Z' } = record;
  const text = encodeAgentFeed({
    url: new URL(path, origin).href,
    title: `${origin.host} agent-feed${path === ARCHIVE_PATH ? ' archive' : ''}`,
    author: origin.host,
    updated,
    status,
    ...(status === 'migrated' && migratedTo !== undefined && { migratedTo }),
    entries: entries.map((entry) => {
      const fact = factOf(entry);
      return { ...entry, summary: fact === undefined ? entry.type : summaryOf(fact) };
    }),
  });
  return servedFile(path, new TextEncoder().encode(text), record);
}

function snapshotOf(
  record: SurfaceRecord,
  { origin, did }: SurfaceSite,
  endpoints: readonly EndpointRecord[],
): CardSnapshot {
  return {
    feed: new URL(FEED_PATH, origin).href,
    did,
    ...(record.status !== 'active' && { feedStatus: record.status }),
    endpoints: endpoints.flatMap(cardEndpoint),
  };
}

/** An endpoint that is not announced is not on the card. */
function cardEndpoint({ endpointId, protocol, url, version, deprecation }: EndpointRecord): CardEndpoint[] {
  if (protocol === undefined || url === undefined) return [];
  const deprecated = deprecation && {
    sunset: deprecation.sunset,
    ...(deprecation.replacement !== null && { replacement: deprecation.replacement }),
  };
  return [{ 'endpoint-id': endpointId, protocol, url, version, ...(deprecated && { deprecated }) }];
}

function replacedMember(card: string | undefined): string[] {
  const member = card === undefined ? undefined : foreignMember(card);
  if (member === undefined) return [];
  return [
    `${CARD_PATH} had a member "agentFeed" that is not of tidings. The snapshot of the feed is there now. It was: ${member.slice(0, 500)}`,
  ];
}

/** Texts that others wrote into the card and that the feed now contradicts. Their authors must change them. */
function staleTexts(
  card: string | undefined,
  { entries }: SurfaceRecord,
  { origin }: SurfaceSite,
  now: readonly EndpointRecord[],
): string[] {
  if (card === undefined) return [];
  const current = new Set(now.map(({ url }) => url));
  const former = new Set<string>();
  for (const entry of entries) {
    const fact = factOf(entry);
    if (fact?.type !== 'endpoint-announcement') continue;
    const { href } = new URL(fact.endpoint, origin);
    if (!current.has(href)) former.add(href).add(fact.endpoint);
  }
  return findInCard(card, former).map(
    (pointer) =>
      `${CARD_PATH} still has the former URL of an endpoint at ${pointer}. Readers see a card that contradicts the feed: change it.`,
  );
}

function whyNot({ issues: [{ message }] }: Extract<Result<string>, { ok: false }>): string {
  return `The file that is there cannot be added to. ${message} Mend it, or move it away.`;
}
