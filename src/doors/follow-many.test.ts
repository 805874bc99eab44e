import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnFreshPort } from '../../test/support/fresh-port.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { follow } from './follow.ts';

const FEEDS = shortOrLong(120, 1000);
const AT_ONCE = 32;
const ETAG = '"one"';

/** So many turns of the event loop without a new request, and those that wait are answered. */
const QUIET_TURNS = 200;

/** Answers under every address of this machine, and only when nobody else comes, so that all who ask at once are seen. */
async function startFeeds() {
  let held: (() => void)[] = [];
  let most = 0;
  const answerWhenQuiet = (count: number, turns: number): void => {
    if (held.length !== count) return;
    if (turns > 0) return void setImmediate(() => answerWhenQuiet(count, turns - 1));
    const answers = held;
    held = [];
    for (const answer of answers) answer();
  };
  const server = createServer((request, response) => {
    const { host = '' } = request.headers;
    const isKnown = request.headers['if-none-match'] === ETAG;
    held.push(() => {
      response.writeHead(isKnown ? 304 : 200, { etag: ETAG, 'content-type': 'application/atom+xml' });
      response.end(isKnown ? undefined : feedOf(host));
    });
    most = Math.max(most, held.length);
    answerWhenQuiet(held.length, QUIET_TURNS);
  });
  const port = await listenOnFreshPort(server, '0.0.0.0');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    urls: Array.from({ length: FEEDS }, (_, index) => `http://127.1.${index >> 8}.${index & 255}:${port}/feed.atom`),
    takeMost() {
      const taken = most;
      most = 0;
      return taken;
    },
  };
}

function feedOf(host: string): string {
  const entry = `<entry><id>urn:entry:${host}</id><title>News</title><updated>2026-01-01T00:00:00Z</updated><link href="http://${host}/a"/></entry>`;
  return `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:feed:${host}</id><title>Feed</title><updated>2026-01-01T00:00:00Z</updated>${entry}</feed>`;
}

test('many sites are followed a few at a time, all of them, without a warning of Node', async () => {
  const { urls, takeMost } = await startFeeds();
  using folder = temporaryFolder();
  const warnings: string[] = [];
  const hear = ({ message }: Error) => void warnings.push(message);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));

  const options = { urls, state: `${folder.path}/state.db`, allowPrivate: true, dialect: 'atom' };
  const seen = new Set<string>();
  for await (const { boundary } of follow({ ...options, once: true })) seen.add(boundary);
  expect(seen.size).toBe(FEEDS);
  expect(takeMost()).toBeLessThanOrEqual(AT_ONCE);
  for await (const { boundary } of follow({ ...options, once: true })) seen.add(`again: ${boundary}`);
  expect(seen.size).toBe(FEEDS);
  expect(takeMost()).toBeGreaterThan(1);

  // Without an end, each of them waits for its next poll until the stop.
  const stopping = new AbortController();
  const waiting = new Set<string>();
  const onStatus = (line: string) => {
    if (!line.includes('next poll')) return;
    waiting.add(line.split(': ')[0] ?? '');
    if (waiting.size === FEEDS) stopping.abort();
  };
  for await (const _ of follow({ ...options, onStatus, minIntervalMs: 600_000, signal: stopping.signal })) break;
  expect(waiting.size).toBe(FEEDS);
  expect(warnings).toEqual([]);
});
