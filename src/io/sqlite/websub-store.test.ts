import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { WebSubRecord } from '../../hub/push/websub/websub-store.ts';
import { openSqliteHubStore } from './hub-store.ts';
import { openSqliteWebSub } from './websub-store.ts';

const RECORD: WebSubRecord = {
  id: 'a1',
  path: 'changes.atom',
  pending: {
    mode: 'subscribe',
    topic: 'https://hub.example/changes.atom',
    callback: 'https://reader.example/cb',
    secret: 'töpsecret',
    askedMs: 1,
    seq: 7,
    tries: 0,
  },
};

test('what is written is there for the next one who opens it, in one step', async () => {
  using folder = temporaryFolder();
  {
    await using store = await openSqliteHubStore({ folder: folder.path });
    const websub = store.openTables(openSqliteWebSub);
    expect(websub.load()).toEqual({ records: [], topics: new Map(), seq: undefined });
    await websub.write({ put: [RECORD, { ...RECORD, id: 'a2' }], topics: [['changes.atom', 5]], seq: 7 });
    await websub.write({ put: [{ ...RECORD, path: 'other.atom' }], remove: ['a2', 'nobody'], seq: 8 });
  }
  await using store = await openSqliteHubStore({ folder: folder.path });
  const { records, topics, seq } = store.openTables(openSqliteWebSub).load();
  expect([records, topics.get('changes.atom'), seq]).toEqual([[{ ...RECORD, path: 'other.atom' }], 5, 8]);
});
