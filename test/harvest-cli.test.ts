import { join } from 'node:path';
import { expect, test } from 'vitest';
import { change, startHarvestLab } from './support/harvest-site.ts';
import { tidingsHere } from './support/tidings-here.ts';

test('harvest says what is new, as text and as JSON, and ends with 0 also when nothing is', async () => {
  await using lab = await startHarvestLab();
  const out = join(lab.out, 'feeds');
  lab.publish({ 'my-shrine': [change(`${lab.origin}/my-shrine/1`, 'created', '2026-01-01')] });
  const args = [
    'harvest',
    lab.origin,
    '--out',
    out,
    '--state',
    join(lab.out, 'state.db'),
    '--allow-private',
    '--cache',
    lab.out,
  ];
  const described = `${lab.origin}/my-shrine/`;
  const feed = join(out, 'my-shrine.atom');
  expect(await tidingsHere(...args)).toEqual({ code: 0, stdout: `${described}: 1 change → ${feed}\n`, stderr: '' });
  expect(await tidingsHere(...args)).toEqual({ code: 0, stdout: `${described}: nothing new\n`, stderr: '' });
  const { code, stdout } = await tidingsHere(...args, '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    collections: [{ describes: described, feed, changes: 0, notes: [] }],
    errors: [],
    notes: [],
  });
});

test('what cannot be read ends with 3, the rest is done, and errors stand on stderr', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [], b: [change(`${lab.origin}/b/1`, 'created', '2026-01-01')] });
  lab.put('/a/changelist.xml', 'nonsense');
  const { code, stdout, stderr } = await tidingsHere('harvest', lab.origin, '--out', lab.out, '--allow-private');
  expect([code, stdout]).toEqual([3, `${lab.origin}/b/: 1 change → ${join(lab.out, 'b.atom')}\n`]);
  expect(stderr).toContain(`${lab.origin}/a/changelist.xml: Line 1`);
  const json = await tidingsHere('harvest', lab.origin, '--out', lab.out, '--allow-private', '--json');
  expect(json.code).toBe(3);
  expect(JSON.parse(json.stdout)).toMatchObject({
    collections: [{ describes: `${lab.origin}/b/`, changes: 0 }],
    errors: [{ url: `${lab.origin}/a/changelist.xml`, describes: `${lab.origin}/a/`, code: 'RESOURCESYNC-FORM' }],
  });
});

test('usage that makes no sense ends with 2 and asks nothing', async () => {
  await using lab = await startHarvestLab();
  for (const args of [
    [lab.origin],
    [lab.origin, '--out', lab.out],
    ['ftp://example.com/', '--out', lab.out],
    [lab.origin, '--out', lab.out, '--allow-private', '--base', 'feeds'],
    [lab.origin, '--out', lab.out, '--allow-private', '--collection', 'shrine'],
    [lab.origin, '--out', lab.out, '--allow-private', '--max-listed', '0'],
  ]) {
    expect([args, (await tidingsHere('harvest', ...args)).code]).toEqual([args, 2]);
  }
  expect(lab.asked).toEqual([]);
});
