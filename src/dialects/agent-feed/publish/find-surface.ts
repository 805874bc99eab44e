import { didOf } from '../../../codecs/agent-feed/did-web.ts';
import { decodeSignature } from '../../../codecs/agent-feed/signature-text.ts';
import { CARD_PATH, DID_PATH, FEED_PATH, type FeedStatus } from '../../../codecs/agent-feed/wire.ts';
import { StateCorruptError } from '../../../errors/state-corrupt-error.ts';
import { stateContradictionError } from '../../../errors/state-refusals.ts';
import type { Place } from '../../../model/folder.ts';
import { verifySignature } from '../../../surface/ed25519.ts';
import { refuseForgedRecord } from '../surface/load-surface.ts';
import { RECORD_PATH } from '../surface/surface-record.ts';
import { type AgentFeedFiles, publishAgentFeed } from './agent-feed.ts';
import { entriesOfFeed, readSiteCopy, readStateCopy, type SignedEntry, type SurfaceCopy } from './surface-copy.ts';
import { keysOf } from './surface-drafts.ts';

export interface SurfacePlaces {
  readonly dir: Place | undefined;
  readonly out: Place;
  readonly state: Place;
  readonly previous: Place | undefined;
}

/** The copy that knows most, and the files to publish from it. */
export interface PublishedSurface extends SurfaceCopy {
  readonly published: AgentFeedFiles;
}

/**
 * Finds the surface of a site in every place that may have it. Undefined if none does.
 *
 * A record only grows, so one of several honest copies knows everything that the others know. If none does, this throws.
 */
export async function findSurface(places: SurfacePlaces, site: URL): Promise<PublishedSurface | undefined> {
  const { dir, out, state, previous } = places;
  const sites = await Promise.all([dir, out, previous].map((place) => place && readSiteCopy(place)));
  const copies = [...sites, await readStateCopy(state)].filter((copy) => copy !== undefined);
  const [first, ...others] = copies;
  if (first === undefined) return undefined;
  refuseOtherOrigin(copies, site);
  await refuseForged(copies, site);
  const fullest = others.reduce(fuller, first);
  for (const copy of copies) ensureKnows(fullest, copy);
  const published = publishAgentFeed(fullest, await existingFiles(dir, [fullest, ...copies]), site);
  await refuseOtherFeeds(fullest, copies, published);
  return { ...fullest, published };
}

/** The build folder comes first, because it has what the author says now. The copies have what was merged with that before. */
async function existingFiles(dir: Place | undefined, copies: readonly SurfaceCopy[]) {
  const { did, card } = { did: await dir?.read(DID_PATH.slice(1)), card: await dir?.read(CARD_PATH.slice(1)) };
  const files = copies.map((copy) => copy.files);
  return {
    did: did ?? files.find((one) => one.did !== undefined)?.did,
    card: card ?? files.find((one) => one.card !== undefined)?.card,
  };
}

/** A feed beside its record that differs from the feed made from the record may say more, for example that the feed has ended. */
async function refuseOtherFeeds(
  fullest: SurfaceCopy,
  copies: readonly SurfaceCopy[],
  { files }: AgentFeedFiles,
): Promise<void> {
  const made = files.at(-1)?.bytes ?? new Uint8Array();
  for (const { name, record, files: served } of copies) {
    if (record === undefined || served.feed === undefined || Buffer.compare(served.feed, made) === 0) continue;
    const feedName = name.replace(RECORD_PATH, FEED_PATH.slice(1));
    ensureKnows(fullest, { name: feedName, files: served, ...(await entriesOfFeed(served.feed)) });
  }
}

function fuller(one: SurfaceCopy, other: SurfaceCopy): SurfaceCopy {
  if (!knows(other, one)) return one;
  if (!knows(one, other)) return other;
  return (other.recordText ?? '').length > (one.recordText ?? '').length ? other : one;
}

/** Whether this copy has everything that the other one has, and does not undo the end of a feed. */
function knows(one: SurfaceCopy, other: SurfaceCopy): boolean {
  return findLoss(one, other) === undefined;
}

const RANK: Readonly<Record<FeedStatus, number>> = { active: 0, migrated: 1, terminated: 2 };

function findLoss(one: SurfaceCopy, other: SurfaceCopy): string | undefined {
  const entries = new Map(one.entries.map((entry) => [entry.id, entry]));
  for (const { id, content, signature } of other.entries) {
    const same = entries.get(id);
    if (same === undefined) return `only one of them has the entry ${id}, and the other has entries that it lacks.`;
    if (same.content !== content || same.signature.trim() !== signature.trim()) {
      return `they say different things under the id ${id}.`;
    }
  }
  if (RANK[one.status] < RANK[other.status]) return `the feed is ${other.status} in one of them, and that is for good.`;
  if (one.status === 'migrated' && other.status === 'migrated' && one.migratedTo !== other.migratedTo) {
    return 'they name different feeds to migrate to.';
  }
  return undefined;
}

function ensureKnows(fullest: SurfaceCopy, copy: SurfaceCopy): void {
  const loss = findLoss(fullest, copy);
  if (loss === undefined) return;
  throw stateContradictionError(
    [fullest.name, copy.name],
    loss,
    'Keep the record that your readers have seen (the live one), move the other away, and say again what it lacks. Where each build begins with an empty folder, run "tidings publish" with --previous before "tidings surface", too.',
  );
}

/** Every entry is published again in the name of the site, so a key of the site must have signed each one. */
async function refuseForged(copies: readonly SurfaceCopy[], site: URL): Promise<void> {
  const verified = new Set<string>();
  for (const copy of copies) {
    const { name, record, recordText = '' } = copy;
    if (record === undefined) refuseForgedFeed(copy, site);
    else if (!verified.has(recordText)) await refuseForgedRecord(name, record);
    verified.add(recordText);
  }
}

/** Entries whose key is unknown are kept: no reader believes them. */
function refuseForgedFeed(copy: SurfaceCopy, site: URL): void {
  const keyOf = keysOf(copy, site);
  for (const entry of copy.entries) {
    const key = keyOf(entry.signer);
    if (key === undefined || isSigned(entry, key.publicKey)) continue;
    throw new StateCorruptError(
      copy.name,
      `the entry ${entry.id} has a signature that does not verify.`,
      'Somebody changed it. Restore it from a backup that you trust.',
    );
  }
}

function isSigned({ content, signature }: SignedEntry, publicKey: Uint8Array): boolean {
  const bytes = decodeSignature(signature);
  return bytes !== undefined && verifySignature(publicKey, Buffer.from(content), bytes);
}

function refuseOtherOrigin(copies: readonly SurfaceCopy[], site: URL): void {
  const did = didOf(site);
  for (const { name, record } of copies) {
    const other = record?.keys.find(({ id }) => !id.startsWith(`${did}#`));
    if (other === undefined) continue;
    throw stateContradictionError(
      [name, `--site ${site.href}`],
      `that record has keys of ${other.id.replace(/#.*/s, '')}.`,
      'Give the --site that the surface was announced for, or move its files away.',
    );
  }
}
