import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLog } from './open-log.ts';

test('what is appended through the door is read through it, beside the writer and after it', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tidings-open-log-'));
  const log = await openLog({ data });
  const changes = await log.append([{ source: 'docs', action: 'create', url: 'https://docs.example/' }]);
  const checksum = await log.snapshots.put('text');
  const reader = await openLog({ data, readonly: true });
  await log.close();

  const read = [];
  for await (const change of reader.read()) read.push(change);
  expect(read).toEqual(changes);
  expect(await reader.snapshots.get(checksum)).toBe('text');
  await reader.close();
  await rm(data, { recursive: true });
});
