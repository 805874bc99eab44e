import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/model/change.ts';
import { hasManyLoopbacks, type SeenRequest } from '../support/many-sites.ts';
import { IS_LONG } from '../support/short-or-long.ts';
import { passed } from './harness.ts';
import { compareFeeds } from './hub-audience.ts';
import { countNeedless, tortureKill } from './hub-kill.ts';
import { Ledger } from './hub-ledger.ts';
import { Random } from './hub-random.ts';
import { CursorReader, FeedReader, type Reading, SeenFeeds } from './hub-readers.ts';
import { describeHub } from './hub-report.ts';
import { tortureSites } from './hub-sites.ts';
import { judgeTurns } from './hub-turns.ts';

describe.skipIf(!IS_LONG)('at length', () => {
  test('of many sites that change and fail, a hub tells every change once and nothing else', async ({ skip }) => {
    if (!(await hasManyLoopbacks())) return skip('this machine has one loopback address only');
    const report = await tortureSites({ sites: 20, seconds: 3, editsPerSecond: 20 });
    expect(passed(report), describeHub(report)).toBe(true);
  });

  test('a hub that is killed at any moment goes on as if nothing had been', async ({ skip }) => {
    if (!(await hasManyLoopbacks())) return skip('this machine has one loopback address only');
    const report = await tortureKill({ rounds: 4, maxLifeMs: 600, recordedMs: 60_000 });
    expect(passed({ ...report, hits: report.rounds }), describeHub(report)).toBe(true);
  });
});

const EDIT = { source: 'docs', action: 'update', url: 'http://docs.example/', anchor: 'a', checksum: '1' } as const;

test('the ledger takes each real change once', () => {
  const ledger = new Ledger();
  ledger.expect(EDIT);
  ledger.expect({ ...EDIT, checksum: '2' });
  expect(ledger.openOf(EDIT.url)).toBe(2);
  ledger.see(EDIT);
  expect(ledger.openOf(EDIT.url)).toBe(1);
  ledger.see(EDIT);
  ledger.see({ ...EDIT, checksum: '3' });
  ledger.see({ ...EDIT, source: 'other', checksum: '2' });
  ledger.close();
  expect(ledger.wrong).toEqual({ doubled: 1, invented: 2, lost: 1 });
});

test('of edits in a hurry the ledger wants the last, and none behind a later one', () => {
  const ledger = new Ledger();
  for (const checksum of ['1', '2', '3']) ledger.expect({ ...EDIT, checksum, mayMerge: true });
  ledger.see({ ...EDIT, checksum: '2' });
  ledger.see(EDIT);
  expect(ledger.wrong).toEqual({ doubled: 1, invented: 0, lost: 0 });
  expect(ledger.open).toBe(1);
  ledger.see({ ...EDIT, checksum: '3' });
  ledger.close();
  expect(ledger).toMatchObject({ wrong: { lost: 0 }, merged: 1, open: 0 });
});

test('a page may go, come back and go again', () => {
  const ledger = new Ledger();
  const gone = { source: 'docs', action: 'delete', url: EDIT.url } as const;
  for (let time = 0; time < 2; time += 1) {
    ledger.expect(gone);
    ledger.see(gone);
  }
  ledger.see(gone);
  expect(ledger.wrong).toEqual({ doubled: 1, invented: 0, lost: 0 });
});

const asked = (startMs: number, endMs: number, of: SeenRequest['of'] = 'turn'): SeenRequest => ({
  path: '/',
  of,
  from: '127.0.0.1',
  startMs,
  endMs,
  status: 200,
});

test.each([
  ['in turn', [asked(0, 5), asked(25, 30)], { atOnce: 0, tooSoon: 0 }],
  ['too soon', [asked(0, 5), asked(20, 30)], { atOnce: 0, tooSoon: 1 }],
  ['two at once', [asked(0, 50), asked(25, 30)], { atOnce: 1, tooSoon: 0 }],
  ['behind one that never ended', [asked(0, Number.POSITIVE_INFINITY), asked(900, 930)], { atOnce: 1, tooSoon: 0 }],
  ['a robots.txt and a feed between', [asked(0, 5), asked(6, 7, 'robots'), asked(8, 9, 'protocol'), asked(25, 30)], {}],
])('requests %s', (_, requests, expected) => {
  expect(judgeTurns(requests, 20)).toMatchObject({ atOnce: 0, tooSoon: 0, ...expected });
});

test('a source that is not due is read again only when a kill cut its reading off', () => {
  const reads = [asked(0, 5), asked(10_000, 10_005), asked(20_000, 20_005)];
  expect(countNeedless(reads, [100, 10_003])).toBe(0);
  expect(countNeedless(reads, [5000, 10_003, 20_100])).toBe(1);
});

function reading(hub?: string): Reading & { readonly lines: string[] } {
  const lines: string[] = [];
  const wrong = { changedBytes: 0, torn: 0, holes: 0, badAnswers: 0 };
  const { signal } = new AbortController();
  const random = new Random(1);
  return {
    hub,
    mayBreak: false,
    random,
    wrong,
    signal,
    complain: (line) => lines.push(line),
    answers: new Map(),
    lines,
  };
}

test('a feed that grows is right; one whose bytes change, or that ends in a line, is found out', () => {
  const readers = reading();
  const feeds = new SeenFeeds(readers);
  for (const text of ['one\n', 'one\ntwo\n', 'one\n']) feeds.take('feed', Buffer.from(text));
  expect(readers.lines).toEqual([]);
  feeds.take('feed', Buffer.from('one\nTwo\nthree\n'));
  feeds.take('feed', Buffer.from('one\nTwo\nthree\nfo'));
  expect(readers.wrong).toMatchObject({ changedBytes: 1, torn: 1 });
});

test('a feed without one of the changes, or with one twice, is found out', () => {
  const change = { action: 'update', url: 'http://docs.example/', time: '2026-01-01T00:00:00Z', source: 'docs' };
  const changes = [1, 2].map((seq) => ({ ...change, seq, id: `id-${seq}`, kind: 'page', provenance: {} }) as Change);
  const lines = changes.map(
    ({ seq: _, kind: __, provenance: ___, source: ____, ...event }) => `${JSON.stringify(event)}\n`,
  );
  const count = (all: readonly string[], own: readonly string[]) => {
    const texts: Record<string, string> = { 'ai-changes.ndjson': all.join(''), 'aicf/docs.ndjson': own.join('') };
    return compareFeeds(changes, { get: (path) => Buffer.from(texts[path] ?? '') }, [{ id: 'docs' }], () => {});
  };
  expect(count(lines, lines)).toBe(0);
  expect(count(lines, lines.slice(1))).toBe(1);
  expect(count([...lines, ...lines.slice(1)], lines)).toBe(1);
  expect(count(lines.toReversed(), lines.toReversed())).toBe(2);
});

test('readers complain of a hole, of a change that comes again, of a cursor that is refused and of a feed that is gone', async () => {
  const pages = [[1, 3], [3], [4]].map((seqs) => ({
    changes: seqs.map((seq) => ({ seq, id: `id-${seq}` })),
    next: 'id',
  }));
  const server = createServer((request, response) => {
    const page = request.url?.startsWith('/api/') ? pages.shift() : undefined;
    response.writeHead(page === undefined ? 410 : 200).end(JSON.stringify(page ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const readers = reading(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const cursor = new CursorReader(readers);
  for (let step = 0; step < 4; step += 1) await cursor.step();
  await new FeedReader(readers, new SeenFeeds(readers), ['ai-changes.ndjson']).readWhole('ai-changes.ndjson');
  expect(readers.wrong).toMatchObject({ holes: 2, badAnswers: 2 });
  server.closeAllConnections();
  server.close();
});
