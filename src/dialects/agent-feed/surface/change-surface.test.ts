import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { isPublicAddress } from '../../../io/undici/public-address.ts';
import type { Folder } from '../../../model/folder.ts';
import { archiveSuperseded, mendSurface, publishFact, type SurfaceParts } from './change-surface.ts';
import { checkAnnouncement, checkDeprecation } from './check-fact.ts';
import { endSurface, moveSurface } from './end-surface.ts';
import { type SigningKeys, withNewKey, withRetiredKeys } from './signing-keys.ts';
import { RECORD_PATH } from './surface-record.ts';
import { surfaceSite } from './surface-site.ts';

const LATER = 1_777_000_001_000;
const FEED = '.well-known/agent-feed.xml';
const SEED = new Uint8Array(32).fill(7);
const NEXT_SEED = new Uint8Array(32).fill(8);
const ORDERS = { endpointId: 'orders', endpoint: '/orders', protocol: 'rest', version: '1.0' } as const;

/** Files in memory. The power fails before the n-th replacement from now on. */
interface MemoryFolder extends Folder {
  readonly files: Map<string, string>;
  failAt: number;
}

function memoryFolder(files = new Map<string, string>()): MemoryFolder {
  const folder: MemoryFolder = {
    name: 'memory',
    files,
    failAt: Number.POSITIVE_INFINITY,
    read: async (path) => (files.has(path) ? Buffer.from(files.get(path) ?? '') : undefined),
    sizeOf: (path) => files.get(path)?.length,
    remove: async (path) => void files.delete(path),
    async replace(path, bytes) {
      folder.failAt -= 1;
      if (folder.failAt < 0) throw new Error('The power failed.');
      files.set(path, Buffer.from(bytes).toString());
    },
  };
  return folder;
}

function partsOf(
  folder: Folder,
  nowMs: number,
  keys: SigningKeys = withNewKey({ keys: [] }, SEED, '2026-01-01T00:00:00Z'),
): SurfaceParts {
  const site = surfaceSite('https://api.example/', { force: false, isPublicAddress });
  return { folder, site, keys: async () => keys, now: () => nowMs, force: false, isPublicAddress };
}

const announce = (version: string) => (parts: SurfaceParts) =>
  publishFact(parts, (context) => checkAnnouncement({ ...ORDERS, version }, context));
const rotated = withRetiredKeys(
  withNewKey(withNewKey({ keys: [] }, SEED, '2026-01-01T00:00:00Z'), NEXT_SEED, '2026-01-02T00:00:00Z'),
);

const COMMANDS: readonly (readonly [string, (parts: SurfaceParts) => Promise<unknown>])[] = [
  ['announce', announce('2.0')],
  [
    'deprecate',
    (parts) =>
      publishFact(parts, (context) =>
        checkDeprecation({ endpointId: 'orders', sunset: '2027-01-01T00:00:00Z' }, context),
      ),
  ],
  ['archive', archiveSuperseded],
  ['rotate', (parts) => mendSurface({ ...parts, keys: async () => rotated })],
];
const ENDS = [
  ['migrated', (parts: SurfaceParts) => moveSurface(parts, 'https://new.example/feed.xml')],
  ['terminated', endSurface],
] as const;

async function published(): Promise<MemoryFolder> {
  const folder = memoryFolder();
  await announce('0.9')(partsOf(folder, 1_777_000_000_000));
  await announce('1.0')(partsOf(folder, 1_777_000_000_001));
  return folder;
}

clause('AF-D3', 'a crash before any file is mended by the next command, whatever was under way', async () => {
  let crashes = 0;
  for (const [name, command] of COMMANDS) {
    const whole = await published();
    await command(partsOf(whole, LATER));
    for (let files = 0; ; files += 1) {
      const folder = await published();
      const before = folder.files.get(FEED);
      folder.failAt = files;
      const failure: unknown = await command(partsOf(folder, LATER)).catch((error: unknown) => error);
      if (!(failure instanceof Error)) break;
      expect(failure.message, name).toBe('The power failed.');
      crashes += 1;
      folder.failAt = Number.POSITIVE_INFINITY;
      // Whoever reads between the two runs sees the old feed, never one without its keys.
      expect(folder.files.get(FEED)).toBe(before);

      const other = memoryFolder(new Map(folder.files));
      await command(partsOf(folder, LATER));
      expect(folder.files, `${name}, cut before file ${files}, and again`).toEqual(whole.files);
      await archiveSuperseded(partsOf(other, LATER + 1));
      // A new key is published before the record has it: what the record has and did.json lacks was taken out by somebody.
      if (files === 0 || (name === 'rotate' && files === 1)) continue;
      const recorded = other.files.get(RECORD_PATH) ?? '';
      expect(
        recorded.startsWith(whole.files.get(RECORD_PATH) ?? 'x'),
        `${name}, cut before file ${files}, then archive`,
      ).toBe(true);
      expect(await archiveSuperseded(partsOf(other, LATER + 2))).toMatchObject({ written: [] });
    }
  }
  expect(crashes).toBeGreaterThan(10);
});

clause('AF-D3', 'an end that was cut short is told first, completed by itself, and taken back by nothing', async () => {
  for (const [status, end] of ENDS) {
    const whole = await published();
    await end(partsOf(whole, LATER));
    for (let files = 1; ; files += 1) {
      const folder = await published();
      folder.failAt = files;
      const failure: unknown = await end(partsOf(folder, LATER)).catch((error: unknown) => error);
      expect(folder.files.get(FEED)).toContain(`<af:feed-status>${status}<`);
      if (!(failure instanceof Error)) break;
      folder.failAt = Number.POSITIVE_INFINITY;
      const other = memoryFolder(new Map(folder.files));
      await archiveSuperseded(partsOf(other, LATER + 1)).catch(() => undefined);
      expect(other.files.get(FEED)).toContain(`<af:feed-status>${status}<`);
      await end(partsOf(folder, LATER));
      expect(folder.files, `${status}, cut before file ${files}`).toEqual(whole.files);
    }
  }
});

test('the same command again completes a run that was cut short, and is refused when there is nothing to complete', async () => {
  const folder = await published();
  folder.failAt = 2;
  await expect(announce('2.0')(partsOf(folder, 1_777_000_002_000))).rejects.toThrow('power');
  folder.failAt = Number.POSITIVE_INFINITY;
  expect(await announce('2.0')(partsOf(folder, 1_777_000_002_000))).toMatchObject({
    entries: 3,
    entryId: 'urn:af:api.example:1777000002000',
  });
  await expect(announce('2.0')(partsOf(folder, 1_777_000_002_000))).rejects.toThrow('already said');
});

test('the same record gives the same bytes', async () => {
  const first = await published();
  const second = await published();
  expect(second.files).toEqual(first.files);
  const again = memoryFolder(new Map([...first.files].filter(([path]) => path.endsWith('.ndjson'))));
  await mendSurface(partsOf(again, 1_777_000_009_000));
  expect(again.files).toEqual(first.files);
});

test('the same fact at another time is a new entry; text that XML cannot carry is refused', async () => {
  const folder = await published();
  expect(await announce('1.0')(partsOf(folder, 1_777_000_003_000))).toMatchObject({ entries: 3 });
  const before = new Map(folder.files);
  for (const reason of ['\uFFFE', 'a\uFFFFb', '\uD800', 'x\uDC00']) {
    const parts = partsOf(folder, 1_777_000_004_000);
    await expect(
      publishFact(parts, (context) =>
        checkDeprecation({ endpointId: 'orders', sunset: '2027-01-01T00:00:00Z', reason }, context),
      ),
    ).rejects.toMatchObject({ name: 'SurfaceRefusedError', recovery: 'fix-config' });
  }
  expect(folder.files).toEqual(before);
});
