import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { changedPage } from '../../../../test/support/atom-lab.ts';
import { openTlogLab } from '../../../../test/support/tlog-lab.ts';
import { gunzipDocument } from '../../../io/zlib/document.ts';
import { unpackSalts } from './packed-salts.ts';
import { placeOfId, storedEntry } from './store-entries.ts';

const folder = await mkdtemp(join(tmpdir(), 'tidings-tlog-entries-'));
afterAll(() => rm(folder, { recursive: true }));

test('the entry of a change is found by its id, also where the hub has the change no more', async () => {
  await using lab = await openTlogLab({ folder });
  const changes = await lab.commit(
    'docs',
    Array.from({ length: 300 }, (_, at) => changedPage(`${at}`)),
  );
  const parts = { store: lab.tables, gunzip: gunzipDocument };
  const withLog = { ...parts, seqOf: async (id: string) => (await lab.store.changeById(id))?.seq };
  const withoutLog = { ...parts, seqOf: async () => undefined };
  for (const change of [changes[0], changes[99], changes[299]]) {
    const { id = '', seq = 0 } = change ?? {};
    const [place, bisected] = [await placeOfId(id, withLog), await placeOfId(id, withoutLog)];
    expect(place).toMatchObject({ seq, entry: seq });
    expect(bisected).toEqual(place);
    const entry = Buffer.from((place && (await storedEntry(place, parts))) ?? []).toString();
    expect(JSON.parse(entry)).toMatchObject({ id, seq });
    expect(Object.keys(unpackSalts(place?.salts ?? new Uint8Array()) ?? {})).toEqual(['title']);
  }
  for (const seqOf of [withLog, withoutLog])
    expect(await placeOfId('01KJMMA2G08WBMBJW4Q4250ATR', seqOf)).toBeUndefined();
});
