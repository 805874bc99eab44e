import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeAtomFeed } from '../src/codecs/atom/decode-feed.ts';
import { clause } from './clause.ts';
import {
  capabilityList,
  change,
  changeList,
  type HarvestLab,
  index,
  sourceDescription,
  startHarvestLab,
} from './support/harvest-site.ts';

const CLOSED = '2026-01-10T00:00:00Z';
const FUTURE = '2999-01-01T00:00:00Z';

/** How many changes of each collection were new. */
async function news(lab: HarvestLab, options = {}): Promise<number[]> {
  const { collections, errors } = await lab.harvest(options);
  expect(errors).toEqual([]);
  return collections.map(({ changes }) => changes);
}

async function textOf({ out }: HarvestLab, name = 'a'): Promise<string> {
  const feed = decodeAtomFeed(await readFile(join(out, `${name}.atom`), 'utf8'));
  if (!feed.ok) throw new Error(feed.issues[0].message);
  return feed.value.items.map(({ title, content }) => `${title} ${content}`).join('\n');
}

clause('RS-X2', 'the same address is a list first and an index later, without a word of ours', async () => {
  await using lab = await startHarvestLab();
  const first = change(`${lab.origin}/a/1`, 'created', '2026-01-01T00:00:00Z');
  lab.publish({ a: [first] });
  expect(await news(lab)).toEqual([1]);
  lab.put('/a/old.xml', changeList(lab.origin, 'a', [first], CLOSED));
  lab.put('/a/new.xml', changeList(lab.origin, 'a', [change(`${lab.origin}/a/2`, 'created', '2026-02-01T00:00:00Z')]));
  lab.put(
    '/a/changelist.xml',
    index('changelist', [{ loc: `${lab.origin}/a/old.xml`, until: CLOSED }, { loc: `${lab.origin}/a/new.xml` }]),
  );
  lab.put('/.well-known/resourcesync', index('description', [{ loc: `${lab.origin}/description.xml` }]));
  lab.put('/description.xml', sourceDescription(lab.origin, ['a']));
  expect(await news(lab)).toEqual([1]);
});

clause(
  ['RS-X3', 'RS-U3', 'RS-G11'],
  'of an index all lists are read but those that were over before the last check',
  async () => {
    await using lab = await startHarvestLab();
    lab.publish({ a: [] });
    const lists = [
      { loc: `${lab.origin}/a/1.xml`, until: CLOSED },
      { loc: `${lab.origin}/a/2.xml`, until: FUTURE },
      { loc: `${lab.origin}/a/3.xml` },
    ];
    lab.put('/a/changelist.xml', index('changelist', lists));
    for (const [at, { until }] of lists.entries()) {
      const entries = [change(`${lab.origin}/a/page-${at}`, 'updated', `2026-01-0${at + 1}`)];
      lab.put(`/a/${at + 1}.xml`, changeList(lab.origin, 'a', entries, until));
    }
    expect(await news(lab)).toEqual([3]);
    expect(lab.paths().filter((path) => /\d\.xml/.test(path))).toEqual(['/a/1.xml', '/a/2.xml', '/a/3.xml']);
    expect(await news(lab)).toEqual([0]);
    expect(lab.paths().filter((path) => /\d\.xml/.test(path))).toEqual(['/a/2.xml', '/a/3.xml']);

    // A list that was closed later than it was read may have grown until then.
    lab.put('/a/changelist.xml', index('changelist', [{ loc: `${lab.origin}/a/1.xml`, until: '2026-01-11' }]));
    lab.put(
      '/a/1.xml',
      changeList(lab.origin, 'a', [change(`${lab.origin}/a/late`, 'updated', '2026-01-10')], '2026-01-11'),
    );
    expect(await news(lab)).toEqual([1]);
  },
);

clause(['RS-G2', 'RS-U1'], 'an index of Source Descriptions leads to all of them, and only those count', async () => {
  await using lab = await startHarvestLab();
  lab.publish({
    a: [change(`${lab.origin}/a/1`, 'created', '2026-01-01')],
    b: [change(`${lab.origin}/b/1`, 'created', '2026-01-01')],
  });
  const places = ['one', 'two', 'three', 'four'].map((name) => ({ loc: `${lab.origin}/${name}.xml` }));
  lab.put('/.well-known/resourcesync', index('description', places));
  lab.put('/one.xml', sourceDescription(lab.origin, ['a']));
  lab.put(
    '/two.xml',
    sourceDescription(lab.origin, ['b']).replace('capability="description"', 'capability="resourcelist"'),
  );
  lab.put('/three.xml', sourceDescription(lab.origin, ['b']).replace('<rs:md capability="description"/>', ''));
  lab.put('/four.xml', sourceDescription(lab.origin, ['b']));
  const { collections, errors } = await lab.harvest();
  expect(collections.map(({ describes }) => describes)).toEqual([`${lab.origin}/a/`, `${lab.origin}/b/`]);
  expect(errors.map(({ url, code }) => [url, code])).toEqual([
    [`${lab.origin}/two.xml`, 'RS-S3'],
    [`${lab.origin}/three.xml`, 'RS-S3'],
  ]);
});

clause(
  'RS-U4',
  'nothing is lost by days without a time, equal times or late publication, and nothing is told twice',
  async () => {
    await using lab = await startHarvestLab();
    const at = (path: string, time: string) => change(`${lab.origin}/a/${path}`, 'updated', time);
    const today = new Date().toISOString().slice(0, 10);
    const known = [at('morning', today), at('one', '2026-01-05T00:00:00Z')];
    lab.publish({ a: known });
    expect(await news(lab)).toEqual([2]);
    // Of the same day and the same second as what was seen, from before it, and of a time to come.
    const late = [
      at('afternoon', today),
      at('two', '2026-01-05T00:00:00Z'),
      at('back-dated', '2019'),
      at('ahead', FUTURE),
    ];
    lab.publish({ a: [...late, ...known] });
    expect(await news(lab)).toEqual([4]);
    // Another spelling of one moment, and a list that shrank.
    lab.publish({ a: [at('one', '2026-01-05T01:00:00+01:00')] });
    expect(await news(lab)).toEqual([0]);
    lab.publish({ a: [...known, at('one', '2026-01-06T00:00:00Z')] });
    expect(await news(lab)).toEqual([1]);
    expect((await textOf(lab)).match(/back-dated/g)).not.toBeNull();
  },
);

test('what a page became follows the order of its list, also where a day and a time meet', async () => {
  await using lab = await startHarvestLab();
  const at = (path: string, kind: string, time: string) => change(`${lab.origin}/a/${path}`, kind, time);
  lab.publish({
    a: [
      at('went', 'created', '2026-01-01T10:00:00Z'),
      at('went', 'deleted', '2026-01-01'),
      at('back', 'created', '2026-01-01'),
      at('back', 'deleted', '2026-01-01'),
      at('back', 'created', '2026-01-01'),
      at('early', 'deleted', '2026-01-03'),
      at('early', 'created', '2025-12-31T23:59:59Z'),
    ],
  });
  expect(await news(lab)).toEqual([6]);
  expect(await textOf(lab)).toMatch(/Changed page \/a\/back.* Came and went \/a\/early.* \/a\/went/);
  const links = (await readFile(join(lab.out, 'a.atom'), 'utf8')).match(/href=&quot;[^&]*/g);
  expect(links).toEqual([`href=&quot;${lab.origin}/a/back`]);
});

test('a harvester that slept over rotations misses nothing', async () => {
  await using lab = await startHarvestLab();
  const at = (day: number) => change(`${lab.origin}/a/${day}`, 'created', `2026-01-0${day}`);
  lab.publish({ a: [at(1), at(2)] });
  expect(await news(lab)).toEqual([2]);
  lab.put('/a/capabilitylist.xml', capabilityList(lab.origin, 'a', [`${lab.origin}/a/index.xml`]));
  const closed = [1, 2, 3].map((number) => ({
    loc: `${lab.origin}/a/list-${number}.xml`,
    until: `2026-01-0${number * 2}`,
  }));
  lab.put('/a/index.xml', index('changelist', [...closed, { loc: `${lab.origin}/a/changelist.xml` }]));
  for (const [number, { until }] of closed.entries()) {
    lab.put(`/a/list-${number + 1}.xml`, changeList(lab.origin, 'a', [at(number * 2 + 1), at(number * 2 + 2)], until));
  }
  lab.put('/a/changelist.xml', changeList(lab.origin, 'a', [at(7)]));
  expect(await news(lab)).toEqual([5]);
  expect(await news(lab)).toEqual([0]);
});

test('a list that did not change is not sent again, and no file is touched', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [] });
  const entries = [change(`${lab.origin}/a/1`, 'created', '2026-01-01')];
  lab.put('/a/changelist.xml', { headers: { etag: '"one"' }, body: changeList(lab.origin, 'a', entries) });
  expect(await news(lab)).toEqual([1]);
  const before = (await stat(join(lab.out, 'a.atom'))).mtimeMs;
  expect(await news(lab)).toEqual([0]);
  expect(lab.asked.at(-1)).toMatchObject({ path: '/a/changelist.xml', headers: { 'if-none-match': '"one"' } });
  expect((await stat(join(lab.out, 'a.atom'))).mtimeMs).toBe(before);
  entries.push(change(`${lab.origin}/a/2`, 'created', '2026-01-01'));
  lab.put('/a/changelist.xml', { headers: { etag: '"two"' }, body: changeList(lab.origin, 'a', entries) });
  expect(await news(lab)).toEqual([1]);
});

test('a check that failed is remembered as none: the validators of what was not kept are not either', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [] });
  const lists = [{ loc: `${lab.origin}/a/1.xml` }, { loc: `${lab.origin}/a/2.xml` }];
  lab.put('/a/changelist.xml', index('changelist', lists));
  const list = (path: string) =>
    changeList(lab.origin, 'a', [change(`${lab.origin}/a/${path}`, 'created', '2026-01-01')]);
  lab.put('/a/1.xml', { headers: { etag: '"one"' }, body: list('one') });
  lab.put('/a/2.xml', { status: 500, body: '' });
  expect(await lab.harvest()).toMatchObject({ collections: [], errors: [{ code: 'HTTP-500' }], isComplete: false });
  lab.put('/a/2.xml', list('two'));
  expect(await news(lab)).toEqual([2]);
});

test('a date that a file cannot have is not asked with: it may stay when the file changes', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [] });
  const put = (lastModified: string, ...paths: string[]) => {
    const entries = paths.map((path) => change(`${lab.origin}/a/${path}`, 'created', '2026-01-01T00:00:00Z'));
    const headers = { 'last-modified': lastModified };
    lab.put('/a/changelist.xml', { headers, body: changeList(lab.origin, 'a', entries) });
  };
  put('Tue, 01 Jan 1980 00:00:00 GMT', '1');
  expect(await news(lab)).toEqual([1]);
  put('Fri, 02 Jan 2026 00:00:00 GMT', '1', '2');
  expect(await news(lab)).toEqual([1]);
  expect(lab.asked.at(-1)?.headers['if-modified-since']).toBeUndefined();
  expect(await news(lab)).toEqual([0]);
  expect(lab.asked.at(-1)?.headers['if-modified-since']).toBe('Fri, 02 Jan 2026 00:00:00 GMT');
});
