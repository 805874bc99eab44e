import { expect, test } from 'vitest';
import { type DiffDeltaService, startDiffDeltaService } from '../../../../test/support/diffdelta-service.ts';
import { createFollower } from '../../../../test/support/publisher.ts';
import { sha256Name } from '../../../codecs/diffdelta/cursor.ts';
import type { FollowedEvent } from '../../../follow/followed-event.ts';
import { MemoryFollowState } from '../../../follow/memory-follow-state.ts';

const direct = (service: DiffDeltaService) => ({ urls: [new URL('/diff/docs/head.json', service.origin).href] });
const said = (events: readonly Pick<FollowedEvent, 'action' | 'url' | 'anchor'>[]) =>
  events.map(({ action, url, anchor }) => `${action} ${new URL(url).pathname}${anchor ? `#${anchor}` : ''}`);

test('sections that are all that changed of a page are told one by one', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one', '/b': 'one' });
  const follower = createFollower(service);
  const first = await follower(direct(service));
  service.run('docs', { '/a': { tiers: 'Three tiers.', größe: 'Small.' }, '/b': 'two' });
  const { events, codes } = await follower(direct(service));
  expect(codes).toEqual([]);
  expect(said(events)).toEqual(['update /a#größe', 'update /a#tiers', 'update /b']);
  const page = new URL('/a', service.origin).href;
  const facts = { url: page, title: 'Page /a', itemId: page, dialect: 'diffdelta', risk: { score: 0, reasons: [] } };
  expect(events.slice(0, 2)).toMatchObject([
    { ...facts, boundary: `${page}#gr%C3%B6%C3%9Fe`, excerpt: 'Small.', checksum: sha256Name('Small.') },
    { ...facts, boundary: `${page}#tiers`, excerpt: 'Three tiers.', checksum: sha256Name('Three tiers.') },
  ]);
  service.run('docs', { '/a': { tiers: 'Three tiers.' } });
  const again = await follower(direct(service));
  expect(said(again.events)).toEqual(['update /a#tiers']);
  const ids = [first, { ids: events.map(({ id }) => id) }, again].flatMap((poll) => poll.ids);
  expect(new Set(ids).size, 'ids are unique').toBe(ids.length);
  const other = await createFollower(service)(direct(service));
  expect(other.ids, 'and the same to every follower').toEqual(ids);
});

test('a section that is gone makes it an update of the page, behind the others', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one', '/b': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  service.run('docs', { '/a': { limits: null, old: null, tiers: 'New.' }, '/b': { old: null } });
  expect(said((await follower(direct(service))).events)).toEqual(['update /a#tiers', 'update /a', 'update /b']);
});

test('whoever does not have the revision before gets the whole page', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one', '/b': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  const missed = service.run('docs', { '/a': { tiers: 'One.' } });
  service.run('docs', { '/a': { limits: 'One.' }, '/b': { limits: 'One.' } });
  service.remove(`/${missed.archivePath}`);
  const woken = await follower(direct(service));
  expect(woken.codes).toEqual(['gap']);
  expect(said(woken.events), 'of /a one revision is missing, of /b none').toEqual(['update /a', 'update /b#limits']);
  const fresh = await createFollower(service)(direct(service));
  expect(said(fresh.events), 'nothing of the page is known').toEqual(['update /a', 'update /b']);
  service.run('docs', { '/a': null });
  service.run('docs', { '/a': { tiers: 'Back.' } });
  expect(said((await follower(direct(service))).events)).toEqual(['delete /a', 'create /a']);
});

test('whoever says where to begin is told the sections that changed since', async () => {
  await using service = await startDiffDeltaService();
  const { feed } = service.run('docs', { '/a': 'one' });
  const second = service.run('docs', { '/a': { tiers: 'One.' } });
  for (const since of [feed.cursor ?? '', second.feed.generated_at]) {
    const { events } = await createFollower(service)({ ...direct(service), since });
    expect(said(events)).toEqual(['update /a#tiers']);
  }
});

test.each(['items', 'flagged'])('in the bucket "%s" sections count where the item is known', async (bucket) => {
  await using service = await startDiffDeltaService();
  const move = () =>
    service.edit('docs', (feed) => {
      const all = Object.values(feed.buckets as Record<string, unknown[]>).flat();
      return { ...feed, buckets: { [bucket]: all } };
    });
  service.run('docs', { '/a': { tiers: 'One.' } });
  move();
  const follower = createFollower(service);
  expect(said((await follower(direct(service))).events)).toEqual(['create /a']);
  service.run('docs', { '/a': { tiers: 'Two.' } });
  move();
  const { events } = await follower(direct(service));
  expect(said(events)).toEqual(['update /a#tiers']);
  expect(events[0]?.flagged).toBe(bucket === 'flagged' ? true : undefined);
});

const SECTION = { anchor: 'tiers', action: 'update' };
test.each<[string, unknown]>([
  ['no list', { tiers: SECTION }],
  ['empty', []],
  ['no objects', [SECTION, 'limits']],
  ['without a name', [SECTION, { action: 'update' }]],
  ['an empty name', [{ ...SECTION, anchor: '#' }]],
  ['a name that is no text', [{ ...SECTION, anchor: 7 }]],
  ['a name that is too long', [{ ...SECTION, anchor: 'a'.repeat(513) }]],
  ['an action that nobody knows', [SECTION, { anchor: 'limits', action: 'moved' }]],
  ['one twice', [SECTION, { ...SECTION, anchor: '#tiers' }]],
  ['too many', Array.from({ length: 1001 }, (_, at) => ({ ...SECTION, anchor: `a${at}` }))],
])('sections that are %s leave one event of the page', async (_, sections) => {
  const { events } = await toldOf({ content: { sections } });
  expect(said(events)).toEqual(['update /a']);
});

test('the checksum of an event of the page is that of the page where there is one', async () => {
  const checksum = sha256Name('the page');
  const ofPage = await toldOf({ content: { sections: undefined, checksum } });
  expect(ofPage.events).toMatchObject([{ checksum }]);
  const ofItem = await toldOf({
    content: { sections: undefined, checksum: 7 },
    provenance: { content_hash: sha256Name('x') },
  });
  expect(ofItem.events).toMatchObject([{ checksum: sha256Name('x') }]);
});

test('without a revision the sections are not known to be all that changed', async () => {
  expect(said((await toldOf({ provenance: { revision: undefined } })).events)).toEqual(['update /a']);
  expect(said((await toldOf({ provenance: { revision: 7 } })).events)).toEqual(['update /a']);
});

test('what else a section says is taken only where it is what it should be', async () => {
  const sections = [
    { ...SECTION, anchor: '#a\ud800', checksum: 'sha256:short', excerpt_text: 7 },
    { ...SECTION, anchor: 'b', checksum: 7, excerpt_text: 'x'.repeat(5000), more: [] },
    ...Array.from({ length: 998 }, (_, at) => ({ ...SECTION, anchor: `${'c'.repeat(508)}${at + 1000}` })),
  ];
  const { events } = await toldOf({ content: { sections } });
  expect(events).toHaveLength(1000);
  expect(events[0]).toMatchObject({ anchor: 'a\ufffd' });
  for (const key of ['checksum', 'excerpt']) expect(events[0]).not.toHaveProperty(key);
  expect(events[1]?.excerpt).toHaveLength(600);
});

test('with content a section is its own Markdown, and the page is fetched once', async () => {
  await using service = await startDiffDeltaService();
  const html = (tiers: string) =>
    `<html lang="en"><title>A</title><main><h1 id="a">A</h1><p>Begin.</p><h2 id="tiers">Tiers</h2><p>${tiers}</p><h2 id="limits">Limits</h2><p>None.</p></main>`;
  service.put('/a', { body: html('Two.'), headers: { 'content-type': 'text/html' } });
  service.run('docs', { '/a': 'one' });
  const follower = createFollower(service);
  const request = { ...direct(service), content: true };
  await follower(request);
  service.put('/a', { body: html('Three.'), headers: { 'content-type': 'text/html' } });
  service.run('docs', { '/a': { tiers: 'Three.', limits: 'None.', gone: 'Was here.' } });
  const { events, paths } = await follower(request);
  expect(events).toMatchObject([
    { anchor: 'gone', anchorMissing: true, boundary: new URL('/a', service.origin).href },
    { anchor: 'limits', markdown: expect.stringContaining('None.') },
    { anchor: 'tiers', markdown: '## Tiers\n\nThree.' },
  ]);
  expect(paths.filter((path) => path === '/a')).toHaveLength(1);
  service.run('docs', { '/a': { tiers: 'Four.', limits: 'Some.' } });
  service.fail('/a', { kind: 'status', status: 500 });
  expect((await follower(request)).error?.name).toBe('EventsWithheldError');
  expect(said((await follower(request)).events), 'withheld, not lost').toEqual(['update /a#limits', 'update /a#tiers']);
});

test('whoever stops between two sections gets the rest the next time, and none twice', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('docs', { '/a': { b: '1', c: '1', d: '1' } });
  service.run('docs', { '/a': { b: '2', c: '2' } });
  const state = new MemoryFollowState();
  const follower = createFollower(service, state);
  const seen: string[] = [];
  for (let poll = 0; poll < 10; poll += 1) seen.push(...said((await follower({ ...direct(service), take: 1 })).events));
  expect(seen).toEqual(['create /a', ...['b', 'c', 'd', 'b', 'c'].map((anchor) => `update /a#${anchor}`)]);
  expect(said(state.changes)).toEqual(seen);
});

test('killed before any of its writes, a follower repeats sections at worst, and its log has each once', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one', '/b': 'one' });
  service.run('docs', { '/a': { x: '1', y: '1' } });
  service.run('docs', { '/a': { x: '2', y: null }, '/b': { z: '1' } });
  const wanted = ['create /a', 'create /b', 'update /a#x', 'update /a#y', 'update /a#x', 'update /a', 'update /b#z'];
  let kills = 0;
  for (let writes = 0; writes < 20; writes += 1) {
    const state = new MemoryFollowState();
    const commit = state.commit.bind(state);
    let left = writes;
    state.commit = async (edit) => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      await commit(edit);
    };
    // A clock that leaps saves after every event.
    const killed = await createFollower(service, state, leapingClock())(direct(service));
    kills += killed.error?.message === 'killed' ? 1 : 0;
    state.commit = commit;
    const after = await createFollower(service, state)(direct(service));
    expect(after).toMatchObject({ error: undefined, codes: [] });
    expect(said(state.changes), `${writes} writes`).toEqual(wanted);
  }
  expect(kills).toBeGreaterThan(wanted.length);
});

function leapingClock(): () => number {
  let ms = Date.now();
  return () => {
    ms += 1000;
    return ms;
  };
}

/** The events of an item that a follower knows, and that its server then publishes changed and in this form. */
async function toldOf(form: { readonly content?: object; readonly provenance?: object }) {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  service.run('docs', { '/a': { tiers: 'One.' } });
  service.edit('docs', (feed) => {
    const { updated } = feed.buckets as { updated: { content: object; provenance: object }[] };
    const items = updated.map(({ content, provenance, ...item }) => ({
      ...item,
      content: { ...content, ...form.content },
      provenance: { ...provenance, ...form.provenance },
    }));
    return { ...feed, buckets: { updated: items } };
  });
  return await follower(direct(service));
}
