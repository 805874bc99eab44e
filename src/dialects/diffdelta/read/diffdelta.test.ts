import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { startDiffDeltaService } from '../../../../test/support/diffdelta-service.ts';
import { direct, HEAD, headText, LATEST, said } from '../../../../test/support/docs-service.ts';
import { startFeedServer } from '../../../../test/support/feed-server.ts';
import { createFollower } from '../../../../test/support/publisher.ts';
import { MemoryFollowState } from '../../../follow/memory-follow-state.ts';

const ZERO = `sha256:${'0'.repeat(64)}`;

clause('DD-H4', 'a client that knows nothing sees changed: true and asks for latest_url next', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const follower = createFollower(service);
  const first = await follower(direct(service));
  expect(first).toMatchObject({ error: undefined, paths: [HEAD, LATEST] });
  expect(first.events).toMatchObject([
    {
      action: 'create',
      url: new URL('/a', service.origin).href,
      title: 'Page /a',
      excerpt: 'one',
      dialect: 'diffdelta',
      checksum: service.feedOf('docs').buckets.new[0]?.provenance.content_hash,
      itemId: new URL('/a', service.origin).href,
      risk: { score: 0, reasons: [] },
    },
  ]);
});

clause(
  ['DD-T3', 'DD-T7'],
  'the next request has the ETag that was given, and on 304 nothing else happens',
  async () => {
    await using service = await startDiffDeltaService();
    service.run('docs', { '/a': 'one' });
    service.putJson(HEAD, JSON.parse(headText(service)), { etag: '"abc"' });
    const state = new MemoryFollowState();
    const follower = createFollower(service, state);
    await follower(direct(service));
    const before = structuredClone(await state.find(direct(service).urls[0] ?? ''));
    const second = await follower(direct(service));
    expect(second).toMatchObject({ ids: [], error: undefined, paths: [HEAD] });
    expect(service.requests.at(-1)).toMatchObject({ status: 304, headers: { 'if-none-match': '"abc"' } });
    expect(await state.find(direct(service).urls[0] ?? '')).toEqual(before);
  },
);

clause(
  ['DD-T4', 'DD-T5'],
  'a new ETag with the stored cursor is no change, and the cursor is not the ETag',
  async () => {
    await using service = await startDiffDeltaService();
    service.run('docs', { '/a': 'one' });
    const state = new MemoryFollowState();
    const follower = createFollower(service, state);
    await follower(direct(service));
    service.putJson(HEAD, JSON.parse(headText(service)), { etag: '"another"' });
    expect(await follower(direct(service))).toMatchObject({ ids: [], paths: [HEAD], codes: [] });
    expect(await state.find(direct(service).urls[0] ?? '')).toMatchObject({
      memory: { cursor: service.feedOf('docs').cursor, validators: { etag: '"another"' } },
    });
  },
);

clause(['DD-T5'], 'a client that slept over the change is not misled by changed: false', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  service.run('docs', { '/a': 'two' });
  service.restate('docs');
  expect(service.feedOf('docs')).toMatchObject({ changed: false });
  const woken = await follower(direct(service));
  expect(said(woken.events)).toEqual(['update /a']);
  expect(woken.codes).toEqual([]);
});

clause('DD-C5', 'a null cursor is no data yet: nothing is fetched, nothing forgotten', async () => {
  await noDataYet(null);
});

clause('DD-C6', 'the zero cursor means the same as null', async () => {
  await noDataYet(ZERO);
});

async function noDataYet(cursor: string | null): Promise<void> {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  const head = JSON.parse(headText(service));
  service.putJson(HEAD, { ...head, cursor, prev_cursor: cursor, changed: false });
  expect(await follower(direct(service))).toMatchObject({ ids: [], error: undefined, codes: [], paths: [HEAD] });
  service.putJson(HEAD, head);
  expect(await follower(direct(service)), 'the stored cursor is still there').toMatchObject({ ids: [], paths: [HEAD] });
}

test('a head that names a feed of another origin is refused, and nothing is lost', async () => {
  await using elsewhere = await startFeedServer();
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const follower = createFollower(service);
  await follower(direct(service));
  service.run('docs', { '/b': 'one' });
  const good = headText(service);
  for (const latest_url of [new URL(LATEST, elsewhere.origin).href, '//evil.example/x', 'ftp://x/', 'http://[']) {
    service.putJson(HEAD, { ...JSON.parse(good), latest_url });
    const refused = await follower(direct(service));
    expect(refused.error?.message).toContain('not of its own origin');
    expect(refused).toMatchObject({ ids: [], paths: [HEAD] });
  }
  expect(elsewhere.requests).toEqual([]);
  service.putJson(HEAD, good);
  expect(said((await follower(direct(service))).events)).toEqual(['create /b']);
});

test('a feed that is behind its head is asked for once more, then left for a later poll', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const stale = service.feedOf('docs');
  const follower = createFollower(service);
  await follower(direct(service));
  service.run('docs', { '/b': 'one' });
  const fresh = service.feedOf('docs');
  service.putJson(LATEST, stale);
  const refused = await follower(direct(service));
  expect(refused.error).toMatchObject({ name: 'FeedUnreadableError', recovery: 'retry-later' });
  expect(refused).toMatchObject({ ids: [], paths: [HEAD, LATEST, LATEST] });
  expect(service.requests.at(-1)?.headers).toMatchObject({ 'cache-control': 'no-cache' });
  service.putJson(LATEST, fresh);
  expect(said((await follower(direct(service))).events)).toEqual(['create /b']);
});

test('a feed that is newer than its head has the last word', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const head = headText(service);
  service.run('docs', { '/b': 'one' });
  const newHead = headText(service);
  service.putJson(HEAD, head);
  const follower = createFollower(service);
  expect(said((await follower(direct(service))).events)).toEqual(['create /a', 'create /b']);
  service.putJson(HEAD, newHead);
  expect(await follower(direct(service))).toMatchObject({ ids: [], paths: [HEAD] });
});

test.each([1, 3])(
  'a feed that is %d runs ahead of its head at the same time is linked to it, and read',
  async (ahead) => {
    await using service = await startDiffDeltaService();
    service.run('docs', { '/a': 'one' });
    const follower = createFollower(service);
    await follower(direct(service));
    service.run('docs', { '/b': 'one' });
    const cached = headText(service);
    const runs = Array.from({ length: ahead }, (_, index) => service.run('docs', { [`/${index}`]: 'one' }));
    const generated_at = JSON.parse(cached).generated_at as string;
    for (const { feed, archivePath } of runs) service.putJson(`/${archivePath}`, { ...feed, generated_at });
    service.edit('docs', (feed) => ({ ...feed, generated_at }));
    service.putJson(HEAD, cached);
    const read = await follower(direct(service));
    expect(read).toMatchObject({ error: undefined, codes: [] });
    expect(said(read.events)).toEqual(['create /b', ...runs.map((_, index) => `create /${index}`)]);
    expect(await follower(direct(service))).toMatchObject({ ids: [], error: undefined });
  },
);

test('whoever stops between two items gets the rest the next time, and none twice', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one', '/b': 'one', '/c': 'one' });
  service.run('docs', { '/d': 'one', '/e': 'one' });
  const follower = createFollower(service);
  const seen: string[] = [];
  for (let poll = 0; poll < 10; poll += 1) seen.push(...said((await follower({ ...direct(service), take: 1 })).events));
  expect(seen).toEqual(['create /a', 'create /b', 'create /c', 'create /d', 'create /e']);
});

test('killed before any of its writes, a follower repeats items at worst and loses none', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one', '/b': 'one' });
  service.run('docs', { '/a': null, '/c': 'one' });
  service.run('docs', { '/b': 'two' });
  const wanted = ['create /a', 'create /b', 'create /c', 'delete /a', 'update /b'];
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
    const killed = await createFollower(service, state)(direct(service));
    kills += killed.error?.message === 'killed' ? 1 : 0;
    state.commit = commit;
    const after = await createFollower(service, state)(direct(service));
    expect(after).toMatchObject({ error: undefined, codes: [] });
    expect(new Set([...said(killed.events), ...said(after.events)]), `${writes} writes`).toEqual(new Set(wanted));
    expect(said(state.changes), 'the log has each once').toEqual(wanted);
  }
  expect(kills).toBeGreaterThan(2);
});
