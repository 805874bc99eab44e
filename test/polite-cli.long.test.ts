import { expect, test } from 'vitest';
import { clause } from './clause.ts';
import { tidings } from './support/cli.ts';
import { startPublisher } from './support/publisher.ts';
import { temporaryFolder } from './support/site.ts';
import { tidingsCached } from './support/tidings-here.ts';

const PAGE = '<!doctype html><main><h1>Title</h1><p>Some words that are worth reading.</p></main>';

clause(['AWI-R6', 'AWI-R7', 'AWI-R8'], 'a pause that an origin asked for holds for the next command, too', async () => {
  await using server = await startPublisher();
  using folder = temporaryFolder();
  server.put('/p', PAGE);
  server.fail('/p', { kind: 'status', status: 429 });
  server.publish(server.event('1', { url: '/p' }));
  const follow = () => tidings('follow', server.origin, '--once', '--state', `${folder.path}/f`, ...local(folder.path));
  expect(await follow()).toMatchObject({ code: 3, stdout: '' });
  expect(server.faultsFired).toBe(1);
  server.takeRequests();
  const again = await follow();
  expect(again).toMatchObject({ code: 3, stdout: '' });
  expect(again.stderr).toMatch(/asked for a pause.*Try again in (?:[3-5]\d|60) s/);
  expect(server.takePaths()).toEqual([]);
});

clause(
  ['AWI-R3', 'AWI-R4'],
  'pages of a host are 2 s apart unless it is ours and we say so, over commands too',
  async () => {
    await using server = await startPublisher();
    using folder = temporaryFolder();
    for (const path of ['/p', '/q']) server.put(path, PAGE);
    server.publish(server.event('1', { url: '/p' }), server.event('2', { url: '/q' }));
    const gaps = async (...more: string[]) => {
      server.takeRequests();
      const { code } = await tidingsCached('follow', server.origin, '--once', '--content', '--allow-private', ...more);
      expect(code).toBe(0);
      return server.takeRequests().flatMap(({ path, atMs }) => (['/p', '/q'].includes(path) ? [atMs] : []));
    };
    const cache = ['--cache', `${folder.path}/cache`];
    const slow = [...(await gaps(...cache)), ...(await gaps(...cache))];
    await gaps('--cache', `${folder.path}/other`, '--cooldown', '0');
    const pauses = slow.slice(1).map((atMs, index) => atMs - (slow[index] ?? 0));
    expect(pauses).toHaveLength(3);
    expect(Math.min(...pauses)).toBeGreaterThan(1990);
  },
);

test('who runs it stands in the User-Agent: and one that could end the header is refused', async () => {
  await using server = await startPublisher();
  using folder = temporaryFolder();
  server.put('/p', PAGE);
  server.publish(server.event('1', { url: '/p' }));
  const agents = async (...more: string[]) => {
    server.takeRequests();
    await tidingsCached('follow', server.origin, '--once', ...local(folder.path), ...more);
    return new Set(server.takeRequests().map(({ headers }) => headers['user-agent']));
  };
  expect(await agents('--bot-url', 'https://lab.example/bot')).toEqual(
    new Set(['AIWebIndex/2.0 (+https://lab.example/bot; tidings)']),
  );
  const refused = await tidingsCached(
    'follow',
    server.origin,
    '--once',
    '--bot-url',
    'lab) evil',
    ...local(folder.path),
  );
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('botUrl lab) evil is refused');
});

function local(folder: string): string[] {
  return ['--content', '--allow-private', '--cooldown', '0', '--cache', `${folder}/cache`];
}
