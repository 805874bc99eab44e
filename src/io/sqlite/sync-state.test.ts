import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSyncState } from '../../sync/sync-state.contract.ts';
import { openSqliteSyncState } from './sync-state.ts';

const newFile = async () => join(await mkdtemp(join(tmpdir(), 'tidings-sync-state-')), 'sync.db');

describeSyncState('sqlite', async () => {
  const file = await newFile();
  return { open: () => openSqliteSyncState(file) };
});

test('a second sync with the same state is refused', async () => {
  const file = await newFile();
  await using _ = await openSqliteSyncState(file);
  await expect(openSqliteSyncState(file)).rejects.toMatchObject({ name: 'LogLockedError' });
});
