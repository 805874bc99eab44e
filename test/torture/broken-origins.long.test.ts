import { expect, test } from 'vitest';
import { readBodyText } from '../../src/fetch/read-text.ts';
import { createUndiciHttpClient } from '../../src/io/undici/http-client.ts';
import { IS_LONG } from '../support/short-or-long.ts';
import { describeOrigins, judgeOrigins, type Poll, pageHtml, tortureOrigins } from './broken-origins.ts';
import { BROKEN_ORIGINS, GOOD_ORIGINS, type OriginKind } from './origin-kinds.ts';
import { type OriginServer, startOriginServer } from './origin-server.ts';

/** For what never ends. Whatever ends by itself gets time enough for a busy machine. */
const DEADLINE_MS = 1500;
const AMPLE_MS = 60_000;
/** Longer, as all kinds are followed at once. */
const POLL_DEADLINE_MS = 15_000;

test.runIf(IS_LONG)('a page whose origin breaks is withheld, and comes when the origin is well again', async () => {
  const options = { deadlineMs: POLL_DEADLINE_MS, warmUps: 100 };
  let report = await tortureOrigins(options);
  // A peak of garbage beside other tests comes and goes; what holds too much holds it every time.
  for (let more = 2; more > 0 && report.wrong.overMemory === 1; more -= 1) {
    report = await tortureOrigins(options);
  }
  expect(
    report.complaints.filter((line) => !line.includes(': late: ')),
    describeOrigins(report),
  ).toEqual([]);
  // How late a deadline is noticed is a matter of the machine: `npm run torture` counts it.
  const wrong: Record<string, number> = { ...report.wrong, late: 0 };
  expect(Object.values(wrong), describeOrigins(report)).toEqual(Object.values(wrong).fill(0));
  expect(report.hits, 'every fault was served').toBe(BROKEN_ORIGINS.length + GOOD_ORIGINS.length);
});

test.concurrent.each(BROKEN_ORIGINS)('the client refuses: $name', async (kind) => {
  await using origin = await startOrigin(kind);
  const error = await read(origin, kind.error === 'DeadlineError' ? DEADLINE_MS : AMPLE_MS).then(
    (text) => ({ name: `a page of ${text.length} characters`, message: text.slice(0, 200) }),
    (thrown: Error) => thrown,
  );
  expect(error.name, error.message).toBe(kind.error);
  expect(origin.requests.length).toBeGreaterThan(0);
});

test.concurrent.each(GOOD_ORIGINS)('the client reads: $name', async (kind) => {
  await using origin = await startOrigin(kind);
  expect(await read(origin, AMPLE_MS)).toBe(pageHtml(1));
});

const BROKEN: OriginKind = { name: 'broken', error: 'DeadlineError', answer: () => {} };
const WITHHELD = { name: 'EventsWithheldError', message: '' };

test.each([
  ['a page that is cut short', { falseChanges: 1 }, { visit: 2, events: [{ id: '02', markdown: 'half' }] }],
  ['an event without its page', { falseChanges: 1 }, { visit: 2, events: [{ id: '02', contentError: 'broken' }] }],
  ['a follower that gives up silently', { falseChanges: 1 }, { visit: 2, events: [], error: undefined }],
  ['an event that never comes', { lost: 1 }, { visit: 3, events: [] }],
  ['a deadline that is not kept', { late: 1 }, { visit: 2, ms: 9000 }],
])('%s is found out', async (_, expected, change) => {
  const good = await goodPolls();
  const nothing = { falseChanges: 0, lost: 0, refused: 0, late: 0, reached: 0, overMemory: 0 };
  const judge = (polls: readonly Poll[]) =>
    judgeOrigins({ origins: [{ kind: BROKEN, served: 1 }], polls, extraRssBytes: 0, deadlineMs: 100, reached: 0 });
  expect(judge(good).wrong).toEqual(nothing);
  const changed = good.map((poll) => (poll.visit === change.visit ? { ...poll, ...change } : poll));
  expect(judge(changed).wrong).toEqual({ ...nothing, ...expected });
});

async function goodPolls(): Promise<Poll[]> {
  const { extractPage } = await import('../../src/extract/extract-page.ts');
  const markdown = (edition: number) => extractPage(pageHtml(edition), 'http://page.example/').markdown;
  return [
    { name: 'broken', visit: 1, events: [{ id: '01', markdown: markdown(1) }], ms: 1 },
    { name: 'broken', visit: 2, events: [], error: WITHHELD, ms: 1 },
    { name: 'broken', visit: 3, events: [{ id: '02', markdown: markdown(2) }], ms: 1 },
  ];
}

function startOrigin(kind: OriginKind): Promise<OriginServer> {
  const page = Buffer.from(pageHtml(1));
  return startOriginServer((socket, request) =>
    kind.answer({ socket, request, page, deadlineMs: DEADLINE_MS, forbidden: 'http://127.0.0.2:1/' }),
  );
}

async function read({ origin }: OriginServer, deadlineMs: number): Promise<string> {
  await using client = createUndiciHttpClient({
    allowPrivate: false,
    mayReach: (address) => address === '127.0.0.1',
    userAgent: 'test',
    deadlineMs,
  });
  const response = await client.get({ url: new URL('/page', origin) });
  return await readBodyText(response, { maxBytes: 10 * 1024 * 1024 });
}
