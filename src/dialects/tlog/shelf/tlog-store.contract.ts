import { describe, expect, test } from 'vitest';
import { EMPTY_ROOT } from '../../../codecs/tlog/tree-hash.ts';
import type { TlogStore, TlogWrite } from './tlog-store.ts';

export interface OpenedTlogStore extends AsyncDisposable {
  readonly store: TlogStore;
}

const IDENTITY = {
  origin: 'hub.example/.well-known/tidings',
  vkey: 'hub.example/.well-known/tidings+00000000+AQ',
  seed: new Uint8Array(32).fill(7),
};
const [ROOT, NEXT_ROOT] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

/** The first step of a log of two entries. */
export const FIRST_STEP: TlogWrite = {
  log: 1,
  after: 0,
  seq: 1,
  before: { size: 0, root: EMPTY_ROOT },
  head: { size: 2, root: ROOT },
  begins: IDENTITY,
  firstEntry: 0,
  entries: [Buffer.from('begin'), Buffer.from('change')],
  bundles: [],
  tiles: [],
  openTiles: [],
  changes: [{ seq: 1, entry: 1, salts: Buffer.from('salt') }],
  documents: [{ path: 'changes.atom', hash: ROOT }],
  documentsSeq: 1,
  checks: [],
};

/** A step that adds nothing, to be filled. */
export const NEXT_STEP: TlogWrite = {
  log: 1,
  after: 1,
  seq: 1,
  before: FIRST_STEP.head,
  head: FIRST_STEP.head,
  firstEntry: 2,
  entries: [],
  bundles: [],
  tiles: [],
  openTiles: [],
  changes: [],
  documents: [],
  documentsSeq: 1,
  checks: [],
};

/** What every {@link TlogStore} does. `open` gives a new, empty one. */
export function describeTlogStore(name: string, open: () => Promise<OpenedTlogStore>): void {
  describe(name, () => {
    test('what a step has is there behind it', async () => {
      await using opened = await open();
      const { store } = opened;
      expect(store.logs()).toEqual([]);
      store.write(FIRST_STEP);
      expect(store.logs()).toMatchObject([{ log: 1, seq: 1, size: 2, documentsSeq: 1, origin: IDENTITY.origin }]);
      expect(Buffer.from(store.logs()[0]?.seed ?? [])).toEqual(Buffer.from(IDENTITY.seed));
      expect(store.openEntries(1).map(String)).toEqual(
        FIRST_STEP.entries.map((entry) => String(Uint8Array.from(entry))),
      );
      expect(store.place(1)).toMatchObject({ log: 1, entry: 1 });
      expect(Buffer.from(store.documentHash('changes.atom') ?? [])).toEqual(Buffer.from(ROOT));
    });

    test('a full bundle takes the place of the entries that it holds, and tiles are found by level and number', async () => {
      await using opened = await open();
      const { store } = opened;
      store.write(FIRST_STEP);
      store.write({
        ...NEXT_STEP,
        head: { size: 257, root: NEXT_ROOT },
        firstEntry: 256,
        entries: [Buffer.from('last')],
        bundles: [{ index: 0, body: Buffer.from('packed') }],
        tiles: [{ level: 0, index: 0, hashes: new Uint8Array(8192) }],
        openTiles: [{ level: 1, hashes: ROOT }],
      });
      expect(store.openEntries(1).map((entry) => Buffer.from(entry).toString())).toEqual(['last']);
      expect(Buffer.from(store.bundle(1, 0) ?? []).toString()).toBe('packed');
      expect([
        store.tile(1, 0, 0)?.length,
        store.tile(1, 0, 1),
        store.openTile(1, 1).length,
        store.openTile(1, 2).length,
      ]).toEqual([8192, undefined, 32, 0]);
    });

    test.each<[string, Partial<TlogWrite>]>([
      ['another size', { before: { size: 1, root: ROOT } }],
      ['another root', { before: { size: 2, root: NEXT_ROOT } }],
      ['another change', { after: 0 }],
      ['another log', { log: 2 }],
    ])('a step that follows on %s is refused, and nothing of it is kept', async (_, wrong) => {
      await using opened = await open();
      const { store } = opened;
      store.write(FIRST_STEP);
      const before = [store.logs(), store.openEntries(1)];
      const step = { ...NEXT_STEP, head: { size: 3, root: NEXT_ROOT }, entries: [Buffer.from('more')] };
      expect(() => store.write({ ...step, ...wrong })).toThrow();
      expect([store.logs(), store.openEntries(1)]).toEqual(before);
      store.write(step);
      expect(store.openEntries(1)).toHaveLength(3);
    });

    test('a log cannot begin twice; another one begins behind it, and both are kept', async () => {
      await using opened = await open();
      const { store } = opened;
      store.write(FIRST_STEP);
      expect(() => store.write(FIRST_STEP)).toThrow();
      store.write({ ...FIRST_STEP, log: 2, begins: { ...IDENTITY, epoch: '1f0a2b3c' }, after: 1, seq: 2, changes: [] });
      expect(store.logs().map(({ log, epoch }) => [log, epoch])).toEqual([
        [1, undefined],
        [2, '1f0a2b3c'],
      ]);
      expect(() => store.write(NEXT_STEP), 'the first one has ended').toThrow();
    });

    test('a checkpoint is a step of its own, and stays until the next one', async () => {
      await using opened = await open();
      const { store } = opened;
      store.write(FIRST_STEP);
      store.write({ ...NEXT_STEP, checkpoint: 'signed' });
      store.write({ ...NEXT_STEP, head: { size: 3, root: NEXT_ROOT }, entries: [Buffer.from('more')] });
      expect(store.logs()).toMatchObject([{ size: 3, checkpoint: 'signed' }]);
    });
  });
}
