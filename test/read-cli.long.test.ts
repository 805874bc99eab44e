import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteReaderState } from '../src/io/sqlite/reader-state.ts';
import { clause } from './clause.ts';
import { tidings } from './support/cli.ts';
import { readLab } from './support/read-lab.ts';
import { shortOrLong } from './support/short-or-long.ts';
import { tidingsCached } from './support/tidings-here.ts';

clause(
  ['AF-Q1', 'AF-Q5', 'AF-P1'],
  'asks once a minute, over restarts, unless an operator says --refresh',
  async () => {
    const { api, read } = await readLab(shortOrLong(tidingsCached, tidings));
    const { site } = api;
    const entries = [api.announcement('orders-api')];
    api.publish({ entries });
    const first = await read('--state', '--json');
    expect(first).toMatchObject({ code: 0, json: { polled: true, applied: 1 } });
    const asked = site.asked.length;
    api.publish({ entries: [...entries, api.announcement('second')] });

    const second = await read('--state', '--json');
    expect(site.asked).toHaveLength(asked);
    expect(second).toMatchObject({ code: 0, json: { polled: false, applied: 0, events: [], trust: true } });
    expect(second.json.endpoints).toEqual(first.json.endpoints);
    expect(second.json.lastSeen).toBe(first.json.lastSeen);
    expect(second.stderr).toContain('was not asked');
    expect(second.stderr).toContain('--refresh');

    const third = await read('--state', '--json', '--refresh');
    expect(third).toMatchObject({ code: 0, json: { polled: true, applied: 1, skipped: 1, events: [] } });
    expect(site.asked.length).toBeGreaterThan(asked);
  },
);

clause('AF-F3', 'does not trust an origin again by itself, over processes, until an operator says so', async () => {
  const { api, read } = await readLab(tidingsCached);
  const entries = [api.announcement('orders-api')];
  api.publish({ entries, status: 'terminated' });
  expect(await read('--state', '--json')).toMatchObject({ code: 4, json: { trust: false, endpoints: [] } });
  api.publish({ entries });
  expect(await read('--state', '--json', '--refresh')).toMatchObject({ code: 4, json: { trust: false, applied: 0 } });
  expect(await read('--state', '--json', '--retrust')).toMatchObject({ code: 0, json: { trust: true, applied: 1 } });
});

test('a state that another process holds is told, and nobody is asked', async () => {
  const { api, read, folder } = await readLab(tidings);
  await using _ = await openSqliteReaderState({ file: join(folder, 'reader.db') });
  const { code, json, stderr } = await read('--state', '--json');
  expect(code).toBe(3);
  expect(json).toMatchObject({ polled: false, endpoints: [], problem: expect.stringContaining('in use by another') });
  expect(stderr).toContain('in use by another reader');
  expect(api.site.asked).toEqual([]);
});

test('plain http is a wrong usage', async () => {
  const { code, stdout, stderr } = await tidingsCached('read', 'http://localhost:1', '--allow-private', '--json');
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('https');
});
