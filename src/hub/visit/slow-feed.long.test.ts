import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { startLiveSite } from '../../../test/support/live-site.ts';
import { startPublisher } from '../../../test/support/publisher.ts';
import { alarm } from '../../io/node/timer-alarm.ts';
import type { FeedConfig } from '../config/source-config.ts';

const configOf = (url: string, extra: Partial<FeedConfig> = {}): FeedConfig => ({
  id: 'acme',
  kind: 'feed',
  url,
  dialect: 'aicf',
  ...extra,
});

/** Half a minute passes in half a second. */
const HASTE = 60;
const hasty = { alarm: (ms: number, callback: () => void) => alarm(ms / HASTE, callback) };

const lineOf = (number: number) =>
  `${JSON.stringify({
    id: String(number).padStart(8, '0'),
    action: 'update',
    url: 'https://docs.example/page',
    time: '2025-08-21T12:00:00Z',
  })}\n`;

/** Sends what `next` gives every few milliseconds, until it gives nothing more. */
function drip(response: ServerResponse, next: () => string | undefined): void {
  const timer = setInterval(() => {
    const piece = next();
    if (piece === undefined) response.end();
    else response.write(piece);
  }, 5);
  response.on('close', () => clearInterval(timer));
}

function bytesOf(text: string, from = 0, step = 1): () => string | undefined {
  let at = from;
  return () => {
    const piece = text.slice(at, at + step);
    at += step;
    return piece === '' ? undefined : piece;
  };
}

test('a feed that trickles and tells nothing ends in time, and is left alone for a while', async () => {
  const long = Array.from({ length: 100 }, (_, number) => lineOf(number)).join('');
  await using site = await startLiveSite({ '/feed.ndjson': (response) => drip(response, bytesOf(long)) });
  await using lab = await openVisitLab(configOf(`${site.url}feed.ndjson`));
  const outcome = await lab.visit(hasty);
  expect(outcome).toMatchObject({
    is: 'failed',
    changes: 0,
    error: { code: 'DeadlineError', message: expect.stringContaining('30 s') },
    retryAfterMs: 300_000,
  });
});

test('a discovery document that trickles ends in time as well', async () => {
  await using site = await startLiveSite({
    '/.well-known/ai-changefeed': (response) => drip(response, () => ' '),
  });
  await using lab = await openVisitLab(configOf(site.url));
  expect(await lab.visit(hasty)).toMatchObject({
    is: 'failed',
    error: { code: 'DeadlineError' },
    retryAfterMs: 300_000,
  });
});

test('the fallbacks of a feed that trickles share its time, and are read', async () => {
  await using publisher = await startPublisher();
  publisher.publish(publisher.event('1'));
  await using site = await startLiveSite({ '/feed.ndjson': (response) => drip(response, () => ' ') });
  await using lab = await openVisitLab(configOf(`${site.url}feed.ndjson`, { fallbacks: [publisher.origin] }));
  const asked: number[] = [];
  // The fallback is read at the pace of a busy machine.
  let haste = HASTE;
  const outcome = await lab.visit({
    alarm: (ms, callback) => {
      asked.push(ms);
      return alarm(ms / haste, () => {
        haste = 1;
        callback();
      });
    },
  });
  expect(outcome).toMatchObject({ is: 'read', fallback: 0, changes: 1 });
  expect(Math.min(...asked)).toBe(15_000);
});

test.each([
  ['with ranges', true],
  ['without ranges', false],
])('a feed %s that is slow but tells something is read in parts, each event once', async (_, hasRanges) => {
  const count = 60;
  const whole = Array.from({ length: count }, (_, number) => lineOf(number)).join('');
  let told = 0;
  let endMinute = () => {};
  /** The minute is over a moment after some lines were sent; half a minute never passes. */
  const onceSent = (ms: number, callback: () => void) => {
    if (ms === 60_000) endMinute = callback;
    return () => {};
  };
  await using site = await startLiveSite({
    '/feed.ndjson': (response) => {
      const range = hasRanges ? /^bytes=(\d+)-$/.exec(response.req.headers.range ?? '') : null;
      const from = Number(range?.[1] ?? 0);
      response.statusCode = range === null ? 200 : 206;
      if (range !== null) response.setHeader('content-range', `bytes ${from}-${whole.length - 1}/${whole.length}`);
      // Without ranges, what was told before comes fast.
      response.write(whole.slice(from, Math.max(from, told)));
      const next = bytesOf(whole, Math.max(from, told), 30);
      let pieces = 0;
      drip(response, () => {
        pieces += 1;
        if (pieces === 30) setTimeout(() => endMinute(), 300);
        return next();
      });
    },
  });
  await using lab = await openVisitLab(configOf(`${site.url}feed.ndjson`));
  let visits = 0;
  for (; visits < 30; visits += 1) {
    const outcome = await lab.visit({ alarm: onceSent });
    expect(outcome.is).toBe('read');
    if (outcome.is === 'read' && !outcome.notes.some((note) => note.includes('The next check goes on'))) break;
    expect(outcome.changes).toBeGreaterThan(0);
    told = lab.log.length * lineOf(0).length;
  }
  expect(visits).toBeGreaterThanOrEqual(2);
  expect(lab.log.map(({ provenance }) => provenance.originId)).toEqual(
    Array.from({ length: count }, (_, number) => String(number).padStart(8, '0')),
  );
});

test('a feed without end that tells much is cut after a minute, with what it told', async () => {
  let number = 0;
  await using site = await startLiveSite({
    '/feed.ndjson': (response) => drip(response, () => Array.from({ length: 400 }, () => lineOf(number++)).join('')),
  });
  await using lab = await openVisitLab(configOf(`${site.url}feed.ndjson`));
  const rung: number[] = [];
  // The minute is over when much was told, however busy the machine is; the feed is never silent.
  const alarmOfAMinute = (ms: number, callback: () => void) => {
    if (ms !== 60_000) return () => {};
    const timer = setInterval(() => {
      if (lab.log.length <= 1000) return;
      clearInterval(timer);
      rung.push(ms);
      callback();
    }, 5);
    return () => clearInterval(timer);
  };
  const outcome = await lab.visit({ alarm: alarmOfAMinute });
  expect(outcome).toMatchObject({
    is: 'read',
    notes: expect.arrayContaining([expect.stringContaining('not read to its end')]),
  });
  expect(outcome.changes).toBeGreaterThan(1000);
  expect(new Set(lab.log.map(({ provenance }) => provenance.originId)).size).toBe(outcome.changes);
  expect(rung).toContain(60_000);
});

test('a feed that tells much and then falls silent is left, with what it told', async () => {
  const whole = Array.from({ length: 1500 }, (_, number) => lineOf(number)).join('');
  await using site = await startLiveSite({ '/feed.ndjson': (response) => void response.write(whole) });
  await using lab = await openVisitLab(configOf(`${site.url}feed.ndjson`));
  const idleOnly = (ms: number, callback: () => void) => (ms === 60_000 ? () => {} : alarm(ms / HASTE, callback));
  expect(await lab.visit({ alarm: idleOnly })).toMatchObject({ is: 'read', changes: 1500 });
});

test('a hub that stops does not wait for a slow feed, and says nothing of it', async () => {
  const stop = new AbortController();
  await using site = await startLiveSite({
    '/feed.ndjson': (response) => {
      drip(response, () => ' ');
      setImmediate(() => stop.abort());
    },
  });
  await using lab = await openVisitLab(configOf(`${site.url}feed.ndjson`));
  expect(await lab.visit({ signal: stop.signal })).toEqual({ is: 'abandoned', changes: 0 });
});
