import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { startDiffDeltaService } from '../../../../test/support/diffdelta-service.ts';
import { direct, HEAD, headText, LATEST, said } from '../../../../test/support/docs-service.ts';
import { startFeedServer } from '../../../../test/support/feed-server.ts';
import { createFollower } from '../../../../test/support/publisher.ts';

clause('DD-P3', 'missed runs are read from the archives, oldest first', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  service.run('docs', { '/a': 'two', '/b': 'one' });
  service.run('docs', { '/a': null });
  service.run('docs', { '/c': 'one' });
  const woken = await follower(direct(service));
  expect(said(woken.events)).toEqual(['create /b', 'update /a', 'delete /a', 'create /c']);
  expect(woken.codes).toEqual([]);
  expect(woken.paths.slice(0, 2)).toEqual([HEAD, LATEST]);
  expect(woken.paths.slice(2).every((path) => path.startsWith('/archive/docs/'))).toBe(true);
  expect(woken.paths).toHaveLength(4);
});

clause('DD-P3', 'where an archive is gone the gap is said aloud, and what can be read is read', async () => {
  await using service = await startDiffDeltaService();
  const first = service.run('docs', { '/a': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  const missed = service.run('docs', { '/b': 'one' });
  const third = service.run('docs', { '/c': 'one' });
  service.run('docs', { '/d': 'one' });
  service.remove(`/${missed.archivePath}`);
  const woken = await follower(direct(service));
  expect(said(woken.events)).toEqual(['create /c', 'create /d']);
  expect(woken).toMatchObject({ error: undefined, codes: ['gap'] });
  const { message = '' } = woken.diagnostics[0] ?? {};
  expect(message).toContain(`Runs after ${first.feed.cursor} and before the run of ${third.feed.generated_at} (`);
  expect(message).toContain(
    `${missed.archivePath} answered with status 404. What is missing is not asked for again: read the pages`,
  );
  expect(message).not.toContain('next time');
  expect(await follower(direct(service))).toMatchObject({ ids: [], codes: [] });
});

clause('DD-P3', 'an archive that goes while the walk rests is named, and the runs around it are told', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/0': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  const runs = [1, 2, 3, 4].map((index) => service.run('docs', { [`/${index}`]: 'one' }));
  service.fail(`/${runs[1]?.archivePath}`, { kind: 'status', status: 500 });
  expect((await follower(direct(service))).error).toMatchObject({ status: 500 });
  service.remove(`/${runs[2]?.archivePath}`);
  const woken = await follower(direct(service));
  expect(said(woken.events)).toEqual(['create /1', 'create /2', 'create /4']);
  expect(woken).toMatchObject({ error: undefined, codes: ['gap'] });
  expect(woken.diagnostics[0]?.message).toMatch(
    /The run of this archive is missing, .* status 404\. What is missing is not asked for again/,
  );
});

clause('DD-P3', 'a service without archives is read on from its feed, and says that runs may be missing', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  service.run('docs', { '/b': 'one' });
  service.run('docs', { '/c': 'one' });
  service.edit('docs', ({ prev_archive_url: _, ...feed }) => feed);
  const woken = await follower(direct(service));
  expect(said(woken.events)).toEqual(['create /c']);
  expect(woken).toMatchObject({ error: undefined, codes: ['gap'] });
});

test('a client that knows nothing begins with the first archive there is', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('docs', { '/b': 'one' });
  service.run('docs', { '/a': 'two' });
  const fresh = await createFollower(service)(direct(service));
  expect(said(fresh.events)).toEqual(['create /a', 'create /b', 'update /a']);
  expect(fresh.codes).toEqual([]);
});

test('--since begins at a time or behind a cursor, and what came before stays unsaid later too', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const second = service.run('docs', { '/b': 'one' });
  service.run('docs', { '/c': 'one' });
  const atTime = createFollower(service);
  const since = second.feed.generated_at;
  expect(said((await atTime({ ...direct(service), since })).events)).toEqual(['create /b', 'create /c']);
  const atCursor = createFollower(service);
  const behind = { ...direct(service), since: second.feed.cursor ?? '' };
  expect(said((await atCursor(behind)).events)).toEqual(['create /c']);
  expect((await atCursor(behind)).ids).toEqual([]);
});

test('--since goes by the time of a run: whatever its items say of themselves, they are told, and what went too', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/old': 'one', '/gone': 'one' });
  const second = service.run('docs', { '/gone': null, '/b': 'one' });
  service.run('docs', { '/c': 'one' });
  const ago = { published_at: '2019-01-01T00:00:00Z', updated_at: '2019-01-01T00:00:00Z' };
  const backdated = (feed: object) =>
    JSON.parse(
      JSON.stringify(feed).replace(
        /"(published|updated)_at":"[^"]+"/g,
        (_, name) => `"${name}_at":"${ago.updated_at}"`,
      ),
    );
  service.edit('docs', backdated);
  service.putJson(`/${second.archivePath}`, backdated(second.feed));
  const { generated_at: since } = second.feed;
  const read = await createFollower(service)({ ...direct(service), since });
  expect(said(read.events)).toEqual(['create /b', 'delete /gone', 'create /c']);
  expect(read).toMatchObject({ error: undefined, codes: [] });
  const later = await createFollower(service)({ ...direct(service), since: '2026-02-06' });
  expect(later, 'all runs are older').toMatchObject({ ids: [], error: undefined, codes: [] });
});

test('what --since has passed over is known: it is not told when the feed lists it again', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/old': 'one' });
  const old = service.feedOf('docs').buckets.new;
  const listing = () =>
    service.edit('docs', (feed) => {
      const { new: added } = feed.buckets as Record<string, unknown[]>;
      return { ...feed, buckets: { items: [...old, ...(added ?? [])] } };
    });
  const second = service.run('docs', { '/b': 'one' });
  listing();
  const late = createFollower(service);
  expect((await late({ ...direct(service), since: '2026-02-06' })).ids).toEqual([]);
  const follower = createFollower(service);
  const first = await follower({ ...direct(service), since: second.feed.generated_at });
  expect(said(first.events)).toEqual(['create /b']);
  service.run('docs', { '/c': 'one' });
  listing();
  for (const each of [follower, late]) expect(said((await each(direct(service))).events)).toEqual(['create /c']);
});

test('--since a time from which not all runs are there: the gap is said aloud', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('docs', { '/b': 'one' });
  service.edit('docs', ({ prev_archive_url: _, ...feed }) => feed);
  const { events, diagnostics } = await createFollower(service)({ ...direct(service), since: '2026-02-05' });
  expect(said(events)).toEqual(['create /b']);
  expect(diagnostics).toMatchObject([
    {
      code: 'gap',
      message: expect.stringMatching(
        /Runs since 2026-02-05T00:00:00Z and before the run of 2026-02-05T12:00:02\S* \(sha256:/,
      ),
    },
  ]);
});

test('--since something that is no time and no cursor is refused; a cursor that is not there is said aloud', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  service.run('docs', { '/b': 'one' });
  for (const since of ['yesterday', '01J5Q', '2026-13-01']) {
    const refused = await createFollower(service)({ ...direct(service), since });
    expect(refused.error, since).toMatchObject({ name: 'FollowRefusedError', recovery: 'fix-config' });
    expect(refused.error?.message).toMatch(/--since takes .*RFC 3339/);
    expect(refused.ids).toEqual([]);
  }
  const missing = await createFollower(service)({ ...direct(service), since: `sha256:${'a'.repeat(64)}` });
  expect(said(missing.events)).toEqual(['create /a', 'create /b']);
  expect(missing).toMatchObject({ error: undefined, codes: ['gap'] });
  expect(missing.diagnostics[0]?.message).toContain('The run that --since names was not found');
});

test('cursors of another form are opaque, also to --since', async () => {
  await using service = await startDiffDeltaService();
  const first = service.run('docs', { '/a': 'one' });
  service.run('docs', { '/b': 'one' });
  const named = (feed: object) => ({ ...feed, cursor: 'run-2', prev_cursor: 'run-1' });
  service.edit('docs', named);
  service.putJson(HEAD, { ...JSON.parse(headText(service)), ...named({}) });
  service.putJson(`/${first.archivePath}`, { ...first.feed, cursor: 'run-1' });
  const { events, codes } = await createFollower(service)({ ...direct(service), since: 'run-1' });
  expect(said(events)).toEqual(['create /b']);
  expect(codes).toEqual([]);
});

test('the ways of a looping chain: it ends, is said aloud, and nothing is lost that can be read', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  const second = service.run('docs', { '/b': 'one' });
  const third = service.run('docs', { '/c': 'one' });
  const fourth = service.run('docs', { '/d': 'one' });
  service.putJson(`/${second.archivePath}`, {
    ...second.feed,
    prev_cursor: 'x',
    prev_archive_url: third.feed.archive_url,
  });
  const woken = await follower(direct(service));
  expect(said(woken.events)).toEqual(['create /b', 'create /c', 'create /d']);
  expect(woken).toMatchObject({ error: undefined, codes: ['gap'] });
  expect(woken.paths.length).toBeLessThan(8);
  expect(fourth.feed.cursor).toBe(service.feedOf('docs').cursor);
});

test('an archive of another origin is not asked', async () => {
  await using elsewhere = await startFeedServer();
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  service.run('docs', { '/b': 'one' });
  service.run('docs', { '/c': 'one' });
  service.edit('docs', (feed) => ({ ...feed, prev_archive_url: new URL('/archive.json', elsewhere.origin).href }));
  expect(await follower(direct(service))).toMatchObject({ error: undefined, codes: ['gap'] });
  expect(elsewhere.requests).toEqual([]);
});

test('a walk that the server cuts short goes on where it was: no number of runs is too many', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/0': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  const paths = Array.from({ length: 30 }, (_, index) => service.run('docs', { [`/${index + 1}`]: 'one' }).archivePath);
  const seen: string[] = [];
  const archives: string[] = [];
  let polls = 0;
  for (; seen.length < 30 && polls < 10; polls += 1) {
    const left = paths
      .toReversed()
      .map((path) => `/${path}`)
      .filter((path) => !archives.includes(path))
      .slice(1);
    const limited = left[8];
    if (limited !== undefined) service.fail(limited, { kind: 'status', status: 429, headers: { 'retry-after': '0' } });
    const { events, paths: asked } = await follower(direct(service));
    seen.push(...said(events));
    archives.push(...asked.filter((path) => path.startsWith('/archive/') && path !== limited));
  }
  expect(polls).toBeGreaterThan(2);
  const timesAsked = paths.map((path) => archives.filter((asked) => asked === `/${path}`).length);
  expect(Math.max(...timesAsked), 'once on the way back, once on the way forward').toBe(2);
  expect(seen).toEqual(Array.from({ length: 30 }, (_, index) => `create /${index + 1}`));
});
