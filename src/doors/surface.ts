import { isAbsolute, join, relative, resolve } from 'node:path';
import { formatTime } from '../codecs/primitives/time.ts';
import {
  archiveSuperseded,
  mendSurface,
  publishFact,
  type SurfaceParts,
} from '../dialects/agent-feed/surface/change-surface.ts';
import {
  type Announcement,
  checkAnnouncement,
  checkDeprecation,
  checkSchemaChange,
  type Deprecation,
  type SchemaChange,
} from '../dialects/agent-feed/surface/check-fact.ts';
import { endSurface, moveSurface } from '../dialects/agent-feed/surface/end-surface.ts';
import { revokeKey } from '../dialects/agent-feed/surface/revoke-key.ts';
import {
  type SigningKeys,
  withNewKey,
  withRetiredKeys,
  withRevokedKey,
} from '../dialects/agent-feed/surface/signing-keys.ts';
import { RECORD_FOLDER } from '../dialects/agent-feed/surface/surface-record.ts';
import type { SurfaceReport } from '../dialects/agent-feed/surface/surface-report.ts';
import { surfaceSite } from '../dialects/agent-feed/surface/surface-site.ts';
import { LogLockedError } from '../errors/log-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { KeyFileError } from '../errors/surface-error.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { createSigningKeys, randomSeed, readSigningKeys, replaceSigningKeys } from '../io/files/signing-keys.ts';
import { lockFile } from '../io/sqlite/writer-lock.ts';
import { lockStateFolder, removeEmptyFolders } from '../io/state/state-folder.ts';
import { isPublicAddress } from '../io/undici/public-address.ts';

export type { Announcement, Deprecation, SchemaChange, SurfaceReport };

/** Whose surface is described, where its files are, and which key signs. */
export interface SurfaceTarget {
  /** The folder of the site. */
  readonly dir: string;
  /** The public address of the origin. */
  readonly site: string;
  /** The file with the signing keys. */
  readonly key: string;
  /** Also accept what looks like a mistake, such as the address of a private host. */
  readonly force?: boolean;
  /** Default: `Date.now`. */
  readonly now?: () => number;
}

/** An end is not signed: the key file is needed only to publish keys that are in no other file. */
export type EndTarget = Omit<SurfaceTarget, 'key'> & Partial<Pick<SurfaceTarget, 'key'>>;

/**
 * States where an endpoint is served, and in which version.
 *
 * @example
 * const target = { dir: './site', site: 'https://api.example/', key: 'key.json' };
 * await announceEndpoint(target, { endpointId: 'orders-api', endpoint: '/orders', protocol: 'rest', version: '1.0' });
 */
export async function announceEndpoint(target: SurfaceTarget, announcement: Announcement): Promise<SurfaceReport> {
  return await locked(target, (parts) => publishFact(parts, (context) => checkAnnouncement(announcement, context)));
}

/**
 * States that an endpoint serves a new version of its schema, and what differs.
 *
 * @example
 * await changeSchema(target, { endpointId: 'orders-api', from: '1.0', to: '1.1', migration: { add: ['/currency'] } });
 */
export async function changeSchema(target: SurfaceTarget, change: SchemaChange): Promise<SurfaceReport> {
  return await locked(target, (parts) => publishFact(parts, (context) => checkSchemaChange(change, context)));
}

/**
 * States when an endpoint ends, and what replaces it.
 *
 * @example
 * await deprecateEndpoint(target, { endpointId: 'orders-api', sunset: '2027-01-01T00:00:00Z', replacement: 'orders-v2' });
 */
export async function deprecateEndpoint(target: SurfaceTarget, deprecation: Deprecation): Promise<SurfaceReport> {
  return await locked(target, (parts) => publishFact(parts, (context) => checkDeprecation(deprecation, context)));
}

/**
 * The kill switch: readers stop trusting this feed. This cannot be undone.
 *
 * @example
 * await terminateFeed(target);
 */
export async function terminateFeed(target: EndTarget): Promise<SurfaceReport> {
  return await locked(target, endSurface);
}

/**
 * Sends readers to another feed permanently.
 *
 * @example
 * await migrateFeed(target, { to: 'https://new.example/.well-known/agent-feed.xml' });
 */
export async function migrateFeed(target: EndTarget, { to }: { readonly to: string }): Promise<SurfaceReport> {
  return await locked(target, (parts) => moveSurface(parts, to));
}

/**
 * Moves replaced announcements into an archive beside the feed. A new reader learns the same as before.
 *
 * @example
 * const { archived } = await archiveEntries(target);
 */
export async function archiveEntries(target: SurfaceTarget): Promise<SurfaceReport & { readonly archived: number }> {
  return await locked(target, archiveSuperseded);
}

/**
 * Creates a feed without entries. If there is already a feed, its files are repaired.
 *
 * @example
 * await initSurface({ dir: './site', site: 'https://api.example/', key: 'key.json' });
 */
export async function initSurface(target: SurfaceTarget): Promise<SurfaceReport> {
  return await locked(target, mendSurface);
}

export interface KeyReport {
  /** The fragment of its verification method: `key-1`. */
  readonly id: string;
  readonly created: string;
  /** The raw 32 bytes as base64url. */
  readonly publicKey: string;
  /** It no longer signs. What it signed stays valid, unless it is revoked. */
  readonly retired: boolean;
  readonly revoked?: true;
}

/**
 * Creates a file with a new signing key, readable by its owner only. An existing file is never overwritten.
 *
 * @example
 * const { id, publicKey } = await newSigningKey({ key: 'key.json' });
 */
export async function newSigningKey({ key }: { readonly key: string }): Promise<KeyReport> {
  const keys = withNewKey({ keys: [] }, randomSeed(), formatTime(Date.now()));
  await createSigningKeys(key, keys);
  return lastOf(keys);
}

/**
 * Adds a key, which signs from now on, and retires the others. With `dir` and `site` it is also added to `did.json`.
 *
 * @example
 * const { id, warnings } = await rotateSigningKey({ key: 'key.json', dir: './site', site: 'https://api.example/' });
 */
export async function rotateSigningKey(options: {
  readonly key: string;
  readonly dir?: string;
  readonly site?: string;
  readonly force?: boolean;
}): Promise<KeyReport & { readonly written: readonly string[]; readonly warnings: readonly string[] }> {
  const { key, dir, site } = options;
  if ((dir === undefined) !== (site === undefined)) {
    throw new SettingRefusedError(
      'dir',
      dir ?? '(not given)',
      'Give the folder and the address of the site, or none of them.',
    );
  }
  return await withKeyFile(key, 'rotate the key', async () => {
    const before = await readSigningKeys(key);
    const after = withNewKey(before, randomSeed(), formatTime(Date.now()));
    if (dir === undefined || site === undefined) {
      await replaceSigningKeys(key, withRetiredKeys(after));
      return { ...lastOf(after), written: [], warnings: [WAIT_UNTIL_KNOWN] };
    }
    return await locked({ dir, site, key, ...(options.force && { force: true }) }, async (parts) => {
      // The record must contain the old keys before a new one is made: then only a disk error can stop the rest.
      const mended = await mendSurface(parts);
      await replaceSigningKeys(key, after);
      const { written, warnings } = await mendSurface(parts);
      await replaceSigningKeys(key, withRetiredKeys(after));
      return {
        ...lastOf(after),
        written: [...new Set([...mended.written, ...written])],
        warnings: [...warnings, SHORT_CACHE],
      };
    });
  });
}

/**
 * The keys in a file, oldest first, without their secrets.
 *
 * @example
 * for (const { id, retired } of await listSigningKeys({ key: 'key.json' })) console.log(id, retired);
 */
export async function listSigningKeys({ key }: { readonly key: string }): Promise<readonly KeyReport[]> {
  const { keys } = await readSigningKeys(key);
  return keys.map(({ id, created, publicKey, seed, revoked }) => ({
    id,
    created,
    publicKey,
    retired: seed === undefined,
    ...(revoked && { revoked }),
  }));
}

/**
 * Removes a stolen key from `did.json`. Entries it signed that still apply are signed again with the current key.
 *
 * @example
 * const { saidAgain } = await revokeSigningKey(target, 'key-1');
 */
export async function revokeSigningKey(
  target: SurfaceTarget,
  keyId: string,
): Promise<SurfaceReport & { readonly saidAgain: number }> {
  return await withKeyFile(target.key, 'revoke the key', () =>
    locked(target, async (parts) => {
      const { publicKey, ...report } = await revokeKey(parts, keyId);
      const keys = await readSigningKeys(target.key);
      const own = keys.keys.find((one) => one.publicKey === publicKey);
      if (own !== undefined && !own.revoked) await replaceSigningKeys(target.key, withRevokedKey(keys, own.id));
      return { ...report, warnings: [...report.warnings, STALE_KEYS] };
    }),
  );
}

/** One writer at a time. */
async function withKeyFile<T>(key: string, what: string, run: () => Promise<T>): Promise<T> {
  const lock = await lockFile(`${resolve(key)}.lock`);
  if (lock === undefined) throw new LogLockedError(resolve(key), what);
  try {
    return await run();
  } finally {
    await lock.release();
  }
}

const STALE_KEYS =
  'Publish did.json and the feed now. Until its copy of did.json is too old, a reader still believes the revoked key.';
const SERVED_KEY =
  'Whoever serves that folder gives the secret away: move the file, and rotate the key if it was served.';
const SHORT_CACHE =
  'Publish did.json before the first entry of the new key, and serve it with a short max-age (60 seconds): a reader that holds the old one takes such an entry for forged.';
const WAIT_UNTIL_KNOWN =
  'The new key gets into did.json with the next surface command. Give --dir and --site to publish it before its first entry.';

function lastOf({ keys }: SigningKeys): KeyReport {
  const last = keys.at(-1);
  if (last === undefined) throw new Error('There is a key: it was just added.');
  return { id: last.id, created: last.created, publicKey: last.publicKey, retired: false };
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== '' && path.split(/[\\/]/)[0] !== '..' && !isAbsolute(path);
}

/** One writer at a time. `publish` uses the same lock. */
async function locked<T>(target: EndTarget, run: (parts: SurfaceParts) => Promise<T>): Promise<T> {
  const { key, force = false, now = Date.now } = target;
  const site = surfaceSite(target.site, { force, isPublicAddress });
  const dir = resolve(target.dir);
  const state = join(dir, RECORD_FOLDER);
  const lock = await lockStateFolder(state);
  try {
    return await run({
      folder: createFileFolder(dir),
      site,
      keys: async () => {
        if (key === undefined) throw new KeyFileError('key', 'No key file was given.');
        return await readSigningKeys(key);
      },
      now,
      force,
      isPublicAddress,
      hints: [
        ...(site.isPrivate
          ? [`${site.origin.host} is a private host: only readers inside of its network follow it.`]
          : []),
        ...(key !== undefined && isInside(dir, resolve(key))
          ? [`${key} lies in the folder of the site. ${SERVED_KEY}`]
          : []),
      ],
    });
  } finally {
    await lock.release();
    await removeEmptyFolders(state, dir);
  }
}
