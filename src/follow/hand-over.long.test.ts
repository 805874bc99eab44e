import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import type { Fault } from '../../test/support/feed-server.ts';
import { createFollower, DISCOVERY, FEED, startPublisher } from '../../test/support/publisher.ts';
import { EventsWithheldError } from '../errors/follow-error.ts';

const PRICING = `<!doctype html><title>Pricing</title><main><h1 id="pricing">Pricing</h1><p>What our service costs today.</p>
<h2 id="tiers">Tiers</h2><p>Small costs five, large costs ten.</p>
<h2 id="faq">Questions</h2><p>Ask us anything about money.</p></main>`;

clause(
  ['AICF-A1', 'AICF-C7', 'AICF-C10'],
  'an event with an anchor brings that section, from one GET of its page',
  async () => {
    await using server = await startPublisher();
    server.put('/pricing', PRICING);
    server.publish(
      server.event('1', { url: '/pricing#tiers', anchor: 'tiers', checksum: 'sha256:1', note: 'text-edit' }),
    );
    const { events, paths } = await createFollower(server)({ content: true });
    const page = new URL('/pricing', server.origin).href;
    expect(events).toEqual([
      {
        id: '1',
        action: 'update',
        url: `${page}#tiers`,
        anchor: 'tiers',
        boundary: `${page}#tiers`,
        time: '2025-08-21T12:00:00Z',
        checksum: 'sha256:1',
        note: 'text-edit',
        source: new URL(page).host.replace(/[.:]/g, '_'),
        dialect: 'aicf',
        markdown: expect.stringContaining('Small costs five'),
      },
    ]);
    expect(events[0]?.markdown).not.toContain('Ask us anything');
    expect(paths).toEqual([DISCOVERY, FEED, '/pricing']);
  },
);

clause(
  ['AICF-A2', 'AICF-C8'],
  'an event without an anchor brings the whole page, also when its url has a fragment',
  async () => {
    await using server = await startPublisher();
    server.put('/pricing', PRICING);
    server.publish(server.event('1', { url: '/pricing#tiers' }));
    const { events } = await createFollower(server)({ content: true });
    expect(events[0]).toMatchObject({ boundary: new URL('/pricing', server.origin).href });
    expect(events[0]?.markdown).toMatch(/What our service[\s\S]*Small costs five[\s\S]*Ask us anything/);
  },
);

test('a page event that names what changed inside it brings these sections and nothing else', async () => {
  await using server = await startPublisher();
  server.put('/pricing', PRICING);
  const note = 'section-removed; sections changed=tiers removed=old';
  server.publish(server.event('1', { url: '/pricing', note }));
  const { events } = await createFollower(server)({ content: true });
  const tiers = '## Tiers\n\nSmall costs five, large costs ten.';
  expect(events[0]).toMatchObject({ boundary: new URL('/pricing', server.origin).href, markdown: tiers });
  expect(events[0]?.sections).toEqual([
    { anchor: 'tiers', action: 'update', markdown: tiers },
    { anchor: 'old', action: 'delete' },
  ]);
});

test('an anchor that differs from the fragment wins', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1', { url: '/pricing#faq', anchor: 'tiers' }));
  const { events } = await createFollower(server)();
  expect(events[0]?.boundary).toBe(new URL('/pricing#tiers', server.origin).href);
});

test('several events of one page share one GET; each brings its own section, in feed order', async () => {
  await using server = await startPublisher();
  server.put('/pricing', PRICING);
  server.put('/other', PRICING);
  server.publish(
    server.event('1', { url: '/pricing', anchor: 'tiers' }),
    server.event('2', { url: '/other' }),
    server.event('3', { url: '/pricing', anchor: 'faq' }),
    server.event('4', { url: '/pricing' }),
  );
  const { ids, events, paths } = await createFollower(server)({ content: true });
  expect(ids).toEqual(['1', '2', '3', '4']);
  expect(events[2]?.markdown).toContain('Ask us anything');
  expect(events[2]?.markdown).not.toContain('Small costs');
  expect(paths.slice(2)).toEqual(['/pricing', '/other']);
});

test('a section that is no longer on the page brings the whole page, says so, and leaves no checksum', async () => {
  await using server = await startPublisher();
  server.put('/pricing', PRICING);
  const gone = { url: '/pricing', anchor: 'gone', checksum: 'c' };
  server.publish(
    server.event('1', gone),
    server.event('2', { url: '/pricing', checksum: 'c' }),
    server.event('3', gone),
  );
  const { events } = await createFollower(server)({ content: true });
  const page = new URL('/pricing', server.origin).href;
  expect(events[0]).toMatchObject({ anchor: 'gone', boundary: page, anchorMissing: true });
  expect(events[0]?.markdown).toContain('Ask us anything');
  expect(events.map(({ unchanged }) => unchanged)).toEqual([undefined, undefined, undefined]);
});

clause('AICF-C9', 'a checksum that was processed saves the GET; the event still comes, marked unchanged', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.put('/pricing', PRICING);
  server.publish(server.event('1', { url: '/pricing', anchor: 'tiers', checksum: 'c1' }));
  await follower({ content: true });
  server.publish(server.event('2', { url: '/pricing', anchor: 'tiers', checksum: 'c1' }));
  const { events, paths } = await follower({ content: true });
  expect(events).toMatchObject([{ id: '2', unchanged: true }]);
  expect(events[0]).not.toHaveProperty('markdown');
  expect(paths).toEqual([DISCOVERY, FEED]);
  server.publish(server.event('3', { url: '/pricing', anchor: 'tiers', checksum: 'c2' }));
  expect((await follower({ content: true })).paths).toEqual([DISCOVERY, FEED, '/pricing']);
  expect((await follower()).ids, 'the last id moved on').toEqual([]);
});

test.each([
  ['a delete of the page', [{ action: 'delete', url: '/p' }], false],
  ['a delete of the section', [{ action: 'delete', url: '/p', anchor: 'a' }], false],
  ['a page-level event', [{ url: '/p', checksum: 'page' }], false],
  ['an event of another section', [{ url: '/p', anchor: 'b', checksum: 'x' }], true],
  ['an event of another page', [{ action: 'delete', url: '/q' }], true],
] as const)('after %s, a section’s checksum counts: %s', async (_, between, unchanged) => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  const section = { url: '/p', anchor: 'a', checksum: 'c' };
  server.publish(
    server.event('1', section),
    ...between.map((extra, index) => server.event(`2${index}`, extra)),
    server.event('3', section),
  );
  expect((await follower()).events.at(-1)?.unchanged ?? false).toBe(unchanged);
});

test('a section event makes the page-level checksum count no more', async () => {
  await using server = await startPublisher();
  const page = { url: '/p', checksum: 'c' };
  server.publish(
    server.event('1', page),
    server.event('2', page),
    server.event('3', { url: '/p', anchor: 'a' }),
    server.event('4', page),
  );
  const { events } = await createFollower(server)();
  expect(events.map(({ unchanged }) => unchanged ?? false)).toEqual([false, true, false, false]);
});

clause(
  ['AICF-C12', 'AICF-C13'],
  'a delete is handed on without a GET: of the page, or of the section only',
  async () => {
    await using server = await startPublisher();
    server.put('/p', PRICING);
    server.publish(
      server.event('1', { action: 'delete', url: '/p#x' }),
      server.event('2', { action: 'delete', url: '/p', anchor: 'b' }),
    );
    const { events, paths } = await createFollower(server)({ content: true });
    const page = new URL('/p', server.origin).href;
    expect(events.map(({ boundary }) => boundary)).toEqual([page, `${page}#b`]);
    expect(paths).toEqual([DISCOVERY, FEED]);
  },
);

test('a page that the same chunk deletes later is not fetched', async () => {
  await using server = await startPublisher();
  server.put('/p', PRICING);
  server.publish(
    server.event('1', { action: 'create', url: '/p' }),
    server.event('2', { action: 'delete', url: '/p' }),
    server.event('3', { action: 'create', url: '/p' }),
  );
  const { events, paths, error } = await createFollower(server)({ content: true });
  expect(events).toMatchObject([
    { contentError: 'deleted later in this feed' },
    { action: 'delete' },
    { markdown: expect.stringContaining('Tiers') },
  ]);
  expect(paths.slice(2)).toEqual(['/p']);
  expect(error).toBeUndefined();
});

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['a reset', { kind: 'reset' }],
  ['500', { kind: 'status', status: 500 }],
  ['429', { kind: 'status', status: 429, headers: { 'retry-after': '7' } }],
  ['403', { kind: 'status', status: 403 }],
  ['a cut body', { kind: 'cut', afterBytes: 50 }],
  [
    'something that is not HTML',
    { kind: 'status', status: 200, headers: { 'content-type': 'application/pdf' }, body: '%PDF' },
  ],
  ['an empty body', { kind: 'status', status: 200, headers: { 'content-type': 'text/html' }, body: '' }],
  [
    'HTML without content',
    { kind: 'status', status: 200, headers: { 'content-type': 'text/html' }, body: '<html><body></body></html>' },
  ],
];

test.each(FAULTS)(
  'a page that answers with %s withholds its event; later ones go on; the next poll brings it',
  async (_, fault) => {
    await using server = await startPublisher();
    const follower = createFollower(server);
    server.put('/p', PRICING);
    server.put('/q', PRICING);
    server.fail('/p', fault);
    const isPause = fault.kind === 'status' && fault.status === 429;
    server.publish(
      server.event('0', { url: '/q' }),
      server.event('1', { url: '/p', checksum: 'c' }),
      server.event('2', { action: 'delete', url: '/r' }),
    );
    const first = await follower({ content: true });
    expect(first.ids).toEqual(['0', '2']);
    expect(first.error).toBeInstanceOf(EventsWithheldError);
    expect(first.codes).toEqual(['withheld']);
    expect(server.faultsFired).toBe(1);
    expect(isPause || first.paths.includes('/p')).toBe(true);

    server.publish(server.event('3', { url: '/p', checksum: 'c' }), server.event('4', { url: '/q' }));
    const second = await follower({ content: true });
    expect(second.events).toMatchObject([
      { id: '1', markdown: expect.stringContaining('Tiers') },
      { id: '3', unchanged: true },
      { id: '4', markdown: expect.stringContaining('Tiers') },
    ]);
    expect(second.error).toBeUndefined();
    expect((await follower({ content: true })).ids).toEqual([]);
  },
);

test('an event that waits and a new one share one GET, which comes after the feed was read', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.put('/p', PRICING);
  server.fail('/p', { kind: 'reset' });
  server.publish(server.event('1', { url: '/p' }));
  await follower({ content: true });
  expect(server.faultsFired).toBe(1);
  server.publish(server.event('2', { url: '/p' }), server.event('3', { url: '/p', anchor: 'faq' }));
  const { events, paths } = await follower({ content: true });
  expect(events.map(({ id, markdown }) => [id, markdown?.includes('Ask us anything')])).toEqual([
    ['1', true],
    ['2', true],
    ['3', true],
  ]);
  expect(paths).toEqual([DISCOVERY, FEED, '/p']);
});

test('an event that waits comes out also when the feed cannot be read', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.put('/p', PRICING);
  server.fail('/p', { kind: 'reset' });
  server.publish(server.event('1', { url: '/p' }));
  await follower({ content: true });
  server.fail(FEED, { kind: 'status', status: 500 });
  const { ids, error } = await follower({ content: true });
  expect(ids).toEqual(['1']);
  expect(error?.message).toContain('status 500');
  expect(server.faultsFired).toBe(2);
});

test('relative links of a page that was redirected begin where it was found', async () => {
  await using server = await startPublisher();
  server.put('/new/place/p', '<main><h1>Title</h1><p>Some words and <a href="next">a link</a> to read.</p></main>');
  server.put('/p', { body: '', status: 301, headers: { location: '/new/place/p' } });
  server.publish(server.event('1', { url: '/p' }));
  const { events } = await createFollower(server)({ content: true });
  expect(events[0]?.markdown).toContain(new URL('/new/place/next', server.origin).href);
  expect(events[0]?.boundary).toBe(new URL('/p', server.origin).href);
});

test('a host that asks for a pause is left alone for the rest of the poll', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  for (const path of ['/a', '/b', '/c']) server.put(path, PRICING);
  server.fail('/a', { kind: 'status', status: 429 });
  server.publish(...['/a', '/b', '/c'].map((url, index) => server.event(`${index}`, { url })));
  const { ids, paths, error } = await follower({ content: true });
  expect(ids).toEqual([]);
  expect(paths.slice(2)).toEqual(['/a']);
  expect(error?.message).toContain('3 events wait');
  expect((await follower({ content: true })).ids).toEqual(['0', '1', '2']);
});

test('a failed fetch forgets the checksum: the same one later is no reason to skip', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.put('/p', PRICING);
  server.publish(server.event('1', { url: '/p', checksum: 'a' }));
  await follower({ content: true });
  server.publish(server.event('2', { url: '/p', checksum: 'b' }));
  server.fail('/p', { kind: 'reset' }, { kind: 'reset' });
  await follower({ content: true });
  server.publish(server.event('3', { url: '/p', checksum: 'a' }));
  expect((await follower({ content: true })).ids).toEqual([]);
  const { events } = await follower({ content: true });
  expect(server.faultsFired).toBe(2);
  expect(events).toMatchObject([
    { id: '2', markdown: expect.any(String) },
    { id: '3', markdown: expect.any(String) },
  ]);
});

test.each([404, 410])('a page that answers %i is final: its event comes with contentError', async (status) => {
  await using server = await startPublisher();
  server.put('/p', { body: 'gone', status });
  server.publish(server.event('1', { url: '/p', checksum: 'c' }), server.event('2', { url: '/p', checksum: 'c' }));
  const { events, error } = await createFollower(server)({ content: true });
  expect(events).toMatchObject(
    [1, 2].map((id) => ({ id: `${id}`, contentError: `the page answered with status ${status}` })),
  );
  expect(error).toBeUndefined();
});

test('after five tries an event comes with contentError', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.put('/p', { body: 'broken', status: 500 });
  server.publish(server.event('1', { url: '/p' }));
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const { ids, error, paths } = await follower({ content: true });
    expect(ids).toEqual([]);
    expect(error).toBeInstanceOf(EventsWithheldError);
    expect(paths).toContain('/p');
  }
  const { events, error } = await follower({ content: true });
  expect(events).toMatchObject([{ id: '1', contentError: 'the page answered with status 500' }]);
  expect(error).toBeUndefined();
  expect((await follower({ content: true })).paths).toEqual([DISCOVERY, FEED]);
});

test('an event that waits comes before the delete of its page', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.put('/p', { body: 'broken', status: 500 });
  server.publish(server.event('1', { url: '/p', anchor: 'a' }), server.event('2', { url: '/p', anchor: 'b' }));
  await follower({ content: true });
  server.publish(
    server.event('3', { action: 'delete', url: '/p', anchor: 'b' }),
    server.event('4', { action: 'delete', url: '/p' }),
  );
  const { events, error } = await follower({ content: true });
  expect(events).toMatchObject([
    { id: '2', contentError: 'deleted later in this feed' },
    { id: '3', action: 'delete' },
    { id: '1', contentError: 'deleted later in this feed' },
    { id: '4', action: 'delete' },
  ]);
  expect(error).toBeUndefined();
});

test('events that wait come out plainly when content is no longer asked for', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.fail('/p', { kind: 'reset' });
  server.publish(server.event('1', { url: '/p' }));
  await follower({ content: true });
  expect(server.faultsFired).toBe(1);
  const { events, error } = await follower();
  expect(events).toMatchObject([{ id: '1' }]);
  expect(error).toBeUndefined();
});

test('over 1,000 events are worked through in chunks, each page once per chunk', async () => {
  await using server = await startPublisher();
  server.put('/p', PRICING);
  const ids = Array.from({ length: 2500 }, (_, index) => String(index).padStart(5, '0'));
  server.publish(...ids.map((id) => server.event(id, { url: '/p', anchor: 'faq' })));
  const { ids: seen, paths } = await createFollower(server)({ content: true });
  expect(seen).toEqual(ids);
  expect(paths.filter((path) => path === '/p')).toHaveLength(3);
});
