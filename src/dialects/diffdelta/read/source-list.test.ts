import { expect, test } from 'vitest';
import { type DiffDeltaService, startDiffDeltaService } from '../../../../test/support/diffdelta-service.ts';
import { createFollower } from '../../../../test/support/publisher.ts';
import { MemoryFollowState } from '../../../follow/memory-follow-state.ts';

const LIST = '/diff/sources.json';
const HOUR_MS = 3_600_000;

const listed = (id: string, extra: object = {}) => ({
  source_id: id,
  name: id,
  enabled: true,
  status: 'ok',
  head_url: `/diff/${id}/head.json`,
  latest_url: `/diff/${id}/latest.json`,
  ...extra,
});

/** A service whose manifest names fewer sources than its list. */
async function startService(): Promise<DiffDeltaService> {
  const service = await startDiffDeltaService();
  for (const source of ['docs', 'blog', 'status', 'old']) service.run(source, { [`/${source}`]: 'one' });
  discover(service, ['docs']);
  service.putJson(LIST, {
    schema_version: '1.2.0',
    sources: [
      listed('docs'),
      listed('blog'),
      listed('status'),
      listed('old', { enabled: false, status: 'disabled' }),
      { name: 'no id' },
      7,
    ],
  });
  return service;
}

function discover(service: DiffDeltaService, sources: readonly string[]): void {
  service.discover((manifest) => ({
    ...manifest,
    endpoints: { ...manifest.endpoints, diff_sources: new URL(LIST, service.origin).href },
    sources_supported: sources,
  }));
}

const pages = (events: readonly { url: string }[]) => events.map(({ url }) => new URL(url).pathname).toSorted();

test('what the list of sources has more than the manifest is read, too, and the difference is said once', async () => {
  await using service = await startService();
  let nowMs = Date.now();
  const follower = createFollower(service, new MemoryFollowState(), () => nowMs);
  const first = await follower({ dialect: 'diffdelta' });
  expect(first.error).toBeUndefined();
  expect(pages(first.events)).toEqual(['/blog', '/docs', '/status']);
  expect(first.diagnostics).toMatchObject([{ code: 'source-status', level: 'warn' }]);
  expect(first.diagnostics[0]?.message).toContain('names 1 sources');
  expect(first.diagnostics[0]?.message).toContain('2 more that are enabled ("blog", "status")');

  const second = await follower();
  expect(second).toMatchObject({ ids: [], error: undefined, codes: [] });
  expect(second.paths).not.toContain(LIST);
  nowMs += HOUR_MS;
  expect((await follower()).paths, 'a new source is found within the hour').toContain(LIST);

  nowMs += HOUR_MS;
  service.run('news', { '/news': 'one' });
  discover(service, ['docs']);
  service.putJson(LIST, { sources: ['docs', 'blog', 'status', 'news'].map((id) => listed(id)) });
  const grown = await follower();
  expect(pages(grown.events)).toEqual(['/news']);
  expect(grown.codes).toEqual(['source-status']);
});

test('what the manifest names and the list does not, or calls disabled, is read and said', async () => {
  await using service = await startService();
  discover(service, ['docs', 'blog', 'status', 'old']);
  service.putJson(LIST, { sources: [listed('docs'), listed('blog'), listed('old', { enabled: false })] });
  const { events, diagnostics } = await createFollower(service)({ dialect: 'diffdelta' });
  expect(pages(events)).toEqual(['/blog', '/docs', '/old', '/status']);
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]?.message).toContain('("status")');
  expect(diagnostics[0]?.message).toContain('disabled there ("old")');
});

test.each([
  ['no list', undefined, []],
  ['no JSON', 'nothing', ['source-status']],
  ['a list that is none', { sources: {} }, ['source-status']],
])('%s: the sources of the manifest are read', async (_, list, codes) => {
  await using service = await startService();
  if (list === undefined) service.remove(LIST);
  else service.putJson(LIST, list);
  const read = await createFollower(service)({ dialect: 'diffdelta' });
  expect(read).toMatchObject({ error: undefined, codes });
  expect(pages(read.events)).toEqual(['/docs']);
});

test('a list that fails later leaves the sources that it named', async () => {
  await using service = await startService();
  let nowMs = Date.now();
  const follower = createFollower(service, new MemoryFollowState(), () => nowMs);
  await follower({ dialect: 'diffdelta' });
  nowMs += HOUR_MS;
  service.fail(LIST, { kind: 'status', status: 500 });
  service.run('blog', { '/blog': 'two' });
  discover(service, ['docs']);
  const read = await follower();
  expect(read).toMatchObject({ error: undefined, codes: ['source-status'] });
  expect(pages(read.events)).toEqual(['/blog']);
});

test('a source that only the list names, and that has no feed, is said and fails nothing', async () => {
  await using service = await startService();
  service.putJson(LIST, { sources: [listed('docs'), listed('blog'), listed('planned')] });
  const follower = createFollower(service);
  const first = await follower({ dialect: 'diffdelta' });
  expect(first).toMatchObject({ error: undefined, codes: ['source-status', 'source-status'] });
  expect(first.diagnostics[1]?.message).toContain('planned');
  expect(pages(first.events)).toEqual(['/blog', '/docs']);
  discover(service, ['docs', 'planned']);
  const named = await createFollower(service)({ dialect: 'diffdelta' });
  expect(named.error, 'the manifest counts').toMatchObject({ name: 'FeedUnreadableError' });
});
