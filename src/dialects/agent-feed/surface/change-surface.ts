import { decodePayload } from '../../../codecs/agent-feed/decode-payload.ts';
import { encodePayload, updatedOf } from '../../../codecs/agent-feed/encode-payload.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import { feedEndedError } from '../../../errors/refusals.ts';
import { SurfaceRefusedError } from '../../../errors/surface-error.ts';
import type { Folder } from '../../../model/folder.ts';
import type { CheckedFact, FactContext } from './check-fact.ts';
import { chooseKey } from './choose-key.ts';
import { type LoadedSurface, loadSurface, refuseContradiction, refuseMissingKey } from './load-surface.ts';
import type { IsPublicAddress } from './private-host.ts';
import { createContentSigner, createEntryIds } from './sign-entry.ts';
import type { SigningKeys } from './signing-keys.ts';
import { supersededEntries } from './superseded-entries.ts';
import { tableOf } from './surface-facts.ts';
import type { EntryLine, SurfaceLine, SurfaceRecord } from './surface-record.ts';
import type { SurfaceReport } from './surface-report.ts';
import type { SurfaceSite } from './surface-site.ts';
import { writeSurface } from './write-surface.ts';

export interface SurfaceParts {
  /** The folder of the site. It must have one writer at a time. */
  readonly folder: Folder;
  readonly site: SurfaceSite;
  /** Read only to sign something, so a lost key does not stop the kill switch. */
  readonly keys: () => Promise<SigningKeys>;
  readonly now: () => number;
  readonly force: boolean;
  readonly isPublicAddress: IsPublicAddress;
  /** Sentences that the report always includes. */
  readonly hints?: readonly string[];
}

/** Signs a fact, adds it to the record, and makes the served files from the record. */
export async function publishFact(
  parts: SurfaceParts,
  check: (context: FactContext) => CheckedFact,
): Promise<SurfaceReport> {
  const { site, force, isPublicAddress } = parts;
  const loaded = await loadConsistent(parts);
  const { record } = loaded;
  refuseWhenEnded(record, force);
  const nowMs = parts.now();
  const time = formatTime(nowMs);
  const table = tableOf(site.origin, record.served);
  const { fact, warnings } = check({ site, table, nowMs, force, isPublicAddress });

  const payload = encodePayload(fact);
  if (!payload.ok) throw new SurfaceRefusedError(fact.type, payload.issues[0].message);
  const content = payload.value;
  const readBack = decodePayload(fact.type, content);
  if (!readBack.ok) throw new SurfaceRefusedError(fact.type, readBack.issues[0].message);
  const said = record.entries.find((entry) => entry.type === fact.type && entry.content === content);
  if (said !== undefined) return await sayAgain(parts, loaded, said);

  const { signer, seed, lines } = chooseKey(record, await parts.keys(), {
    did: site.did,
    time,
    force,
    document: loaded.existing.did,
  });
  const entry: EntryLine = {
    kind: 'entry',
    id: createEntryIds(record, site, nowMs)(),
    updated: updatedOf(fact) ?? time,
    type: fact.type,
    content,
    signature: createContentSigner(seed)(content),
    signer,
    time,
  };
  return { entryId: entry.id, ...(await write(parts, loaded, [...lines, entry], [...warnings, ...deadFeed(record)])) };
}

/** Completes a run that was cut short after it recorded this fact. If nothing was missing, the repeated fact is refused. */
async function sayAgain(parts: SurfaceParts, loaded: LoadedSurface, { id, type }: EntryLine): Promise<SurfaceReport> {
  const report = await write(
    parts,
    loaded,
    [],
    ['This was said before by a run that was cut short. It is complete now.'],
  );
  if (report.written.length > 0) return { entryId: id, ...report };
  throw new SurfaceRefusedError(
    type,
    `Exactly this was already said, in ${id}. To say it again, give it another time.`,
    'fix-input',
  );
}

/** Creates an empty feed, or repairs the files of an existing one. Also publishes new keys. */
export async function mendSurface(parts: SurfaceParts): Promise<SurfaceReport> {
  const loaded = await loadConsistent(parts);
  refuseWhenEnded(loaded.record, parts.force);
  return await write(parts, loaded, await keyLines(parts, loaded), []);
}

/** Removes from the served feed what no new reader needs. It stays in the record, and in the archive beside the feed. */
export async function archiveSuperseded(parts: SurfaceParts): Promise<SurfaceReport & { readonly archived: number }> {
  const loaded = await loadConsistent(parts);
  const { record } = loaded;
  if (record.lines.length === 0) throw new SurfaceRefusedError('archive', 'There is no feed here yet.', 'fix-input');
  const ids = supersededEntries(parts.site.origin, record.served).map(({ id }) => id);
  const line: SurfaceLine = { kind: 'archive', ids, time: formatTime(parts.now()) };
  return { ...(await write(parts, loaded, ids.length === 0 ? [] : [line], [])), archived: ids.length };
}

async function loadConsistent({ folder, site }: SurfaceParts): Promise<LoadedSurface> {
  const loaded = await loadSurface(folder, site);
  refuseContradiction(loaded, folder);
  refuseMissingKey(loaded, folder);
  return loaded;
}

export async function write(
  parts: SurfaceParts,
  loaded: LoadedSurface,
  lines: readonly SurfaceLine[],
  warnings: readonly string[],
) {
  const { folder, site, hints = [] } = parts;
  return await writeSurface({ ...loaded, folder, site }, lines, [...warnings, ...hints]);
}

async function keyLines(
  { site, keys, now, force }: SurfaceParts,
  { record, existing }: LoadedSurface,
): Promise<readonly SurfaceLine[]> {
  const choice = { did: site.did, time: formatTime(now()), force, document: existing.did };
  return chooseKey(record, await keys(), choice).lines;
}

type Ending = Pick<SurfaceRecord, 'status' | 'migratedTo'>;

export function refuseWhenEnded({ status, migratedTo }: Ending, force: boolean): void {
  if (status === 'active' || force) return;
  const where = migratedTo === undefined ? 'start afresh under another origin' : `publish at ${migratedTo}`;
  throw feedEndedError(
    status,
    `readers trust nothing that is said here any more. To go on, ${where}; --force adds to it nevertheless.`,
  );
}

function deadFeed({ status }: SurfaceRecord): string[] {
  return status === 'active' ? [] : [`The feed stays ${status}: readers apply nothing of it.`];
}
