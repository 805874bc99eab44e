import { expect, test } from 'vitest';
import { type DiffDeltaService, startDiffDeltaService } from '../../../../test/support/diffdelta-service.ts';
import { createFollower } from '../../../../test/support/publisher.ts';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import { sha256Name } from '../../../codecs/diffdelta/cursor.ts';
import type { FollowedEvent } from '../../../follow/followed-event.ts';
import { MemoryFollowState } from '../../../follow/memory-follow-state.ts';

const LATEST = '/diff/docs/latest.json';
type Buckets = Readonly<Record<string, readonly unknown[]>>;

/** A service that writes its feed by hand, and one who follows it. */
async function startLab() {
  const service = await startDiffDeltaService();
  const state = new MemoryFollowState();
  const follower = createFollower(service, state);
  const urls = [new URL(LATEST, service.origin).href];
  let runs = 0;
  return {
    service,
    state,
    publish(buckets: Buckets) {
      runs += 1;
      service.putJson(LATEST, feedOf(runs, buckets));
    },
    poll: (take = Number.POSITIVE_INFINITY) => follower({ urls, take }),
    /** What the next run is told as. */
    async told(buckets: Buckets): Promise<string[]> {
      this.publish(buckets);
      return said((await this.poll()).events);
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

function feedOf(run: number, buckets: Buckets) {
  return {
    schema_version: '1.1.0',
    generated_at: `2026-02-05T12:00:${String(run).padStart(2, '0')}Z`,
    cursor: sha256Name(`run ${run}`),
    prev_cursor: run === 1 ? null : sha256Name(`run ${run - 1}`),
    changed: true,
    ttl_sec: 300,
    sources_included: ['docs'],
    buckets,
    sources: {},
  };
}

/** An item whose URL is a path, and whose content is `text`. */
function item(id: string, url: string, text = 'one') {
  const time = '2026-02-05T11:00:00Z';
  const provenance = { content_hash: sha256Name(text), fetched_at: time, evidence_urls: [] };
  const times = { published_at: time, updated_at: time };
  return { source: 'docs', id, url, ...times, headline: `Item ${id}`, content: { excerpt_text: text }, provenance };
}

const said = (events: readonly FollowedEvent[]) =>
  events.map(({ action, url, anchor, note }) => {
    const place = `${new URL(url).pathname}${anchor === undefined ? '' : `#${anchor}`}`;
    return [action, place, ...(note === undefined ? [] : [note])].join(' ');
  });

test('items that lack what they should have are told all the same, and their removal, too', async () => {
  await using lab = await startLab();
  const loose = { id: 7, url: '/seven', content: 'Seven.' };
  lab.publish({ new: [loose, { id: 'a', url: 'a' }, item('b', '/b'), { url: '/nobody' }] });
  const { events, codes, error } = await lab.poll();
  expect(error).toBeUndefined();
  expect(said(events)).toEqual(['create /seven', 'create /diff/docs/a', 'create /b']);
  expect(codes).toEqual(Array.from({ length: 4 }, () => 'bad-item'));
  expect(events[0]).toMatchObject({ itemId: '7', excerpt: 'Seven.', time: '2026-02-05T12:00:01Z' });
  expect(events[0]).not.toHaveProperty('title');
  expect(await lab.told({ items: [loose] }), 'the same once more').toEqual([]);
  expect(await lab.told({ updated: [loose] }), 'updated, says its server').toEqual(['update /seven']);
  expect(await lab.told({ removed: [{ id: 7 }, 'a', { id: 'stranger' }] })).toEqual([
    'delete /seven',
    'delete /diff/docs/a',
  ]);
  expect(await lab.told({ removed: [{ id: 7 }] }), 'gone is gone').toEqual([]);
});

test('what archives name relatively is what it was in the feed', async () => {
  await using lab = await startLab();
  lab.service.putJson('/archive/docs/1.json', feedOf(1, { new: [item('a', 'a')] }));
  const second = { ...feedOf(2, { updated: [item('a', 'a', 'two')] }), prev_archive_url: '/archive/docs/1.json' };
  lab.service.putJson(LATEST, second);
  expect(said((await lab.poll()).events)).toEqual(['create /diff/docs/a', 'update /diff/docs/a']);
});

test('the page that is deleted is the one that is known of the item', async () => {
  await using lab = await startLab();
  await lab.told({ new: [item('a', '/known')] });
  expect(await lab.told({ removed: [item('a', '/elsewhere'), item('b', '/unknown')] })).toEqual([
    'delete /known',
    'delete /unknown',
  ]);
});

test.each(['updated', 'items', 'flagged'])('an item of "%s" with another URL ends its old page', async (bucket) => {
  await using lab = await startLab();
  await lab.told({ new: [item('1', '/old')] });
  const arrival = bucket === 'updated' ? 'update /new' : 'create /new';
  expect(await lab.told({ [bucket]: [item('1', '/new', 'two')] })).toEqual(['delete /old', arrival]);
  expect(await lab.told({ [bucket]: [item('1', '/newer', 'two')] }), 'with the same content').toEqual([
    'delete /new',
    arrival.replace('new', 'newer'),
  ]);
  expect(await lab.told({ [bucket]: [item('1', '/newer#part', 'two')] }), 'on the same page').toEqual([]);
  expect(await lab.told({ removed: [item('1', '/newer')] })).toEqual(['delete /newer']);
});

test('an old page that has other items stays when one of them moves', async () => {
  await using lab = await startLab();
  await lab.told({ new: [item('1', '/old'), item('2', '/old')] });
  lab.publish({ updated: [item('1', '/new', 'two')] });
  const { events } = await lab.poll();
  expect(said(events)).toEqual(['update /old item-removed', 'update /new']);
  for (const key of ['title', 'excerpt', 'risk', 'flagged', 'checksum']) expect(events[0]).not.toHaveProperty(key);
  expect(await lab.told({ new: [item('3', '/old')], updated: [item('2', '/new', 'two')] })).toEqual([
    'create /old',
    'update /old item-removed',
    'update /new',
  ]);
});

test('whoever stops between the end of the old page and the new one gets the rest the next time', async () => {
  await using lab = await startLab();
  await lab.told({ new: [item('1', '/a', 'A')] });
  const seen: string[] = [];
  for (const [url, text] of [
    ['/b', 'B'],
    ['/a', 'A'],
    ['/b', 'B'],
  ] as const) {
    lab.publish({ updated: [item('1', url, text)] });
    for (let poll = 0; poll < 4; poll += 1) seen.push(...said((await lab.poll(1)).events));
  }
  const [there, back] = [
    ['delete /a', 'update /b'],
    ['delete /b', 'update /a'],
  ];
  expect(seen).toEqual([...there, ...back, ...there]);
});

const WHOLE = item('c', '/u');
const PART = item('frag', '/u#s1');
test.each([
  ['the whole first', [WHOLE, PART]],
  ['the part first', [PART, WHOLE]],
])('a page goes with the last of its items: %s', async (_, removed) => {
  await using lab = await startLab();
  await lab.told({ new: [WHOLE, PART] });
  expect(await lab.told({ removed })).toEqual(['update /u item-removed', 'delete /u']);
  expect(await lab.told({ removed })).toEqual([]);
});

test('a page goes with the last of its items, also where a poll ends between them', async () => {
  await using lab = await startLab();
  await lab.told({ new: [WHOLE, PART] });
  lab.publish({ removed: [WHOLE, PART] });
  const seen: string[] = [];
  for (let poll = 0; poll < 4; poll += 1) seen.push(...said((await lab.poll(1)).events));
  expect(seen).toEqual(['update /u item-removed', 'delete /u']);
});

test('a page stays when its last item goes and another comes in the same run, wherever that stands', async () => {
  await using lab = await startLab();
  await lab.told({ new: [item('1', '/u')] });
  expect(await lab.told({ removed: [item('1', '/u')], items: [item('2', '/u')] })).toEqual([
    'update /u item-removed',
    'create /u',
  ]);
  expect(await lab.told({ new: [item('3', '/u')], removed: [item('2', '/u')] })).toEqual([
    'create /u',
    'update /u item-removed',
  ]);
  expect(await lab.told({ removed: [item('3', '/u'), item('3', '/u'), item('1', '/u')] })).toEqual(['delete /u']);
});

const MANY = shortOrLong(250, 2500);

test(`a page with ${MANY} items goes with the last one, and stays with one`, async () => {
  await using lab = await startLab();
  const all = Array.from({ length: MANY }, (_, index) => item(`${index}`, '/u'));
  const others = all.slice(1);
  await lab.told({ new: all });
  expect(new Set(await lab.told({ removed: others }))).toEqual(new Set(['update /u item-removed']));
  await lab.told({ new: others });
  const told = await lab.told({ removed: all });
  expect(told.filter((event) => event !== 'update /u item-removed')).toEqual(['delete /u']);
  expect(told).toHaveLength(MANY);
  expect(told.at(-1)).toBe('delete /u');
});

test('what was said by an item that is gone is not said of the page on which others are', async () => {
  await using lab = await startLab();
  const risky = { ...item('b', '/u', 'Obey me.'), risk: { score: 0.9, reasons: ['instructions'] } };
  await lab.told({ new: [item('c', '/u')], flagged: [risky] });
  lab.publish({ removed: [risky] });
  const { events } = await lab.poll();
  expect(events).toMatchObject([{ action: 'update', note: 'item-removed', itemId: 'b' }]);
  for (const key of ['title', 'excerpt', 'risk', 'flagged']) expect(events[0]).not.toHaveProperty(key);
  const { riskReasons, risk, title, excerpt } = lab.state.changes.at(-1) ?? {};
  expect([riskReasons, risk, title, excerpt]).toEqual([undefined, undefined, undefined, undefined]);
});

test('a page of two sources of a service goes with the last of them', async () => {
  await using service: DiffDeltaService = await startDiffDeltaService();
  service.run('docs', { '/p': 'one' });
  service.run('blog', { '/p': 'one' });
  const follower = createFollower(service);
  expect(said((await follower()).events)).toEqual(['create /p', 'create /p']);
  service.run('docs', { '/p': null });
  expect(said((await follower()).events)).toEqual(['update /p item-removed']);
  service.run('blog', { '/p': null });
  expect(said((await follower()).events)).toEqual(['delete /p']);
  service.run('docs', { '/p': 'two' });
  service.run('blog', { '/p': 'two' });
  await follower();
  service.run('docs', { '/p': null });
  service.run('blog', { '/p': null });
  expect(said((await follower()).events), 'in one poll').toEqual(['update /p item-removed', 'delete /p']);
});

test('the note of an item is taken by whoever has the revision before, and by nobody else', async () => {
  await using lab = await startLab();
  const noted = (revision: number, note: string) => {
    const { provenance, ...rest } = item('a', '/a', `text ${revision}`);
    return { ...rest, provenance: { ...provenance, revision, note } };
  };
  const sections = 'section-removed; sections changed=x removed=y';
  expect(await lab.told({ new: [noted(1, 'new-page; moved-from=https://a.example/')] })).toEqual([
    'create /a new-page; moved-from=https://a.example/',
  ]);
  expect(await lab.told({ updated: [noted(2, sections)] })).toEqual([`update /a ${sections}`]);
  expect(await lab.told({ updated: [noted(4, sections)] })).toEqual(['update /a']);
  expect(await lab.told({ updated: [noted(5, 'x'.repeat(20_001))] })).toEqual(['update /a']);
  expect(await lab.told({ removed: [noted(6, 'moved-to=https://a.example/b')] })).toEqual([
    'delete /a moved-to=https://a.example/b',
  ]);
});
