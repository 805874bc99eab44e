import { decodeAgentFeed } from '../../../codecs/agent-feed/decode-feed.ts';
import { DID_PATH, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import { feedEndedError } from '../../../errors/refusals.ts';
import { KeyFileError, SurfaceRefusedError } from '../../../errors/surface-error.ts';
import { TidingsError } from '../../../errors/tidings-error.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { Folder } from '../../../model/folder.ts';
import { refuseWhenEnded, type SurfaceParts } from './change-surface.ts';
import { nameKeys } from './choose-key.ts';
import { deriveFiles } from './derive-files.ts';
import { isPrivateHost } from './private-host.ts';
import { type SalvagedSurface, salvageSurface } from './salvage-surface.ts';
import type { SigningKeys } from './signing-keys.ts';
import {
  encodeSurfaceRecord,
  RECORD_PATH,
  type SurfaceLine,
  type SurfaceRecord,
  surfaceRecord,
} from './surface-record.ts';
import type { SurfaceReport } from './surface-report.ts';

/** The kill switch. It is final. Broken or forged files are a reason for it, not an obstacle. */
export async function endSurface(parts: SurfaceParts): Promise<SurfaceReport> {
  const salvaged = await salvageForEnd(parts);
  if (salvaged.record.status === 'terminated') {
    return await writeEnd(parts, salvaged, { warnings: ['The feed was terminated before. It stays so.'] });
  }
  return await writeEnd(parts, salvaged, {
    status: { kind: 'status', status: 'terminated', time: formatTime(parts.now()) },
  });
}

export async function moveSurface(parts: SurfaceParts, to: string): Promise<SurfaceReport> {
  const target = checkTarget(to, parts);
  const salvaged = await salvageForEnd(parts);
  const { record, served } = salvaged;
  if (record.status === 'migrated' && record.migratedTo === target) {
    return await writeEnd(parts, salvaged, { warnings: ['The feed was migrated there before. It stays so.'] });
  }
  if ([record.status, served.status].includes('terminated')) {
    throw feedEndedError('terminated', 'it cannot be migrated any more.');
  }
  refuseWhenEnded(record.status === 'active' && served.migratedTo !== target ? served : record, parts.force);
  return await writeEnd(parts, salvaged, {
    status: { kind: 'status', status: 'migrated', to: target, time: formatTime(parts.now()) },
  });
}

interface Salvaged extends SalvagedSurface {
  readonly keys: SigningKeys | undefined;
}

async function salvageForEnd(parts: SurfaceParts): Promise<Salvaged> {
  const { folder, site, force } = parts;
  if (!force && !(await holdsSurface(folder))) {
    throw new SurfaceRefusedError(
      'The folder',
      `it holds no feed of ${site.origin.host} that could end. Is it the right one?`,
    );
  }
  const keys = await keysIfThere(parts);
  const salvaged = await salvageSurface({ folder, site, keys, force, time: formatTime(parts.now()) });
  const known = new Set(salvaged.record.keys.map(({ publicKey }) => publicKey));
  const isOurs = keys?.keys.some(({ publicKey }) => known.has(publicKey));
  if (isOurs === false && known.size > 0 && !force) {
    throw new SurfaceRefusedError(
      'The key file',
      `it has none of the keys of ${site.origin.host}. Give theirs, or none.`,
    );
  }
  return { ...salvaged, keys };
}

/** Also true if the files exist but cannot be read. */
async function holdsSurface(folder: Folder): Promise<boolean> {
  for (const path of [RECORD_PATH, FEED_PATH.slice(1), DID_PATH.slice(1)]) {
    const isThere = await folder.read(path).then(
      (bytes) => bytes !== undefined,
      () => true,
    );
    if (isThere) return true;
  }
  return false;
}

/** Undefined if the key file cannot be used. */
export async function keysIfThere({ keys }: SurfaceParts): Promise<SigningKeys | undefined> {
  try {
    return await keys();
  } catch (error) {
    if (error instanceof KeyFileError) return undefined;
    throw error;
  }
}

interface End {
  readonly status?: SurfaceLine;
  readonly warnings?: readonly string[];
}

/** Writes the feed first, so that readers learn of the end even if a later step fails. */
async function writeEnd(
  parts: SurfaceParts,
  salvaged: Salvaged,
  { status, warnings = [] }: End,
): Promise<SurfaceReport> {
  const { folder, site, hints = [] } = parts;
  const { existing, unreadable, damaged } = salvaged;
  const lines = status === undefined ? [] : [...missingKeys(parts, salvaged), status];
  const next = servable(surfaceRecord([...salvaged.record.lines, ...lines]), parts);
  const { artifacts, warnings: doubts } = deriveFiles(next, site, existing);
  const isDidOf = ({ path }: Artifact) => path === DID_PATH.slice(1);
  const hasDid = existing.did !== undefined || unreadable.has(DID_PATH.slice(1)) || next.keys.length > 0;
  const record = { path: RECORD_PATH, bytes: Buffer.from(encodeSurfaceRecord(next)) };
  const others = artifacts.slice(0, -1).filter((one) => hasDid || !isDidOf(one));

  const lost = await keepAside(parts, damaged);
  const written: string[] = [];
  for (const { path, bytes } of [...artifacts.slice(-1), record, ...others]) {
    if (unreadable.has(path) || (lost.has(path) && path === RECORD_PATH)) continue;
    const before = await folder.read(path).catch(() => undefined);
    if (before !== undefined && Buffer.compare(before, bytes) === 0) continue;
    await folder.replace(path, bytes);
    written.push(path);
  }
  return {
    feedStatus: next.status,
    entries: next.served.length,
    written,
    warnings: [...salvaged.warnings, ...lost.values(), ...warnings, ...doubts, ...(hasDid ? [] : [NO_DID]), ...hints],
  };
}

const NO_DID =
  'There is no did.json and no key to make one with: readers do not look at a feed without it, and do not learn of its end. Restore it.';

/** Returns, by path, a warning for each file that could not be kept. That does not stop the end. */
async function keepAside({ folder }: SurfaceParts, damaged: SalvagedSurface['damaged']): Promise<Map<string, string>> {
  const lost = new Map<string, string>();
  for (const { path, aside, bytes } of damaged) {
    try {
      await folder.replace(aside, bytes);
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      lost.set(path, `${path} could not be kept as ${aside}. ${error.message}`);
    }
  }
  return lost;
}

/** Without a did.json, readers do not look at the feed at all. */
function missingKeys({ site, now }: SurfaceParts, { record, keys, existing }: Salvaged): SurfaceLine[] {
  if (record.keys.length > 0 || keys === undefined) return [];
  const names = nameKeys(record, keys.keys, { did: site.did, document: existing.did });
  const time = formatTime(now());
  return keys.keys.map(({ id, publicKey }) => ({ kind: 'key', id: names.get(id) ?? '', publicKey, time }));
}

/** The record without its entries, if they contain something that a feed cannot hold. */
function servable(record: SurfaceRecord, { site }: SurfaceParts): SurfaceRecord {
  const feed = deriveFiles(record, site, { did: undefined, card: undefined }).artifacts.at(-1);
  if (decodeAgentFeed(new TextDecoder().decode(feed?.bytes)).ok) return record;
  return surfaceRecord(record.lines.filter(({ kind }) => kind !== 'entry' && kind !== 'archive'));
}

function checkTarget(to: string, { site, force, isPublicAddress }: SurfaceParts): string {
  const url = canParseUrl(to) ? new URL(to) : undefined;
  if (url?.protocol !== 'https:') throw new SurfaceRefusedError('to', 'Give the https URL of the new feed.');
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new SurfaceRefusedError('to', 'It carries a user name, a password or a fragment. Leave them out.');
  }
  if (url.href === new URL(FEED_PATH, site.origin).href)
    throw new SurfaceRefusedError('to', 'It is the URL of this feed itself.');
  if (!force && !site.isPrivate && isPrivateHost(url, isPublicAddress)) {
    throw new SurfaceRefusedError('to', `${url.host} is a private or internal host, where no reader follows.`);
  }
  return url.href;
}
