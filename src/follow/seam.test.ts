import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FeedChange } from '../dialects/feed-change.ts';
import type { Batch, ReadingEnd } from '../dialects/reader.ts';
import type { Fall } from './ladder.ts';
import { isTold, type LastLook, type PageTelling, type Seam, throughSeam } from './seam.ts';

const PAGE = 'https://site.example/page';
/** The feed was read last at 10:00, the pages first at 10:10, and last at 10:30. */
const at = (minute: number, ms = 1) => Date.UTC(2026, 2, 1, 10, minute, 0, ms);
const FALL: Fall = { fromMs: at(0), atMs: at(10), readMs: at(11), lookedMs: at(30) };

function told(anchor: string | undefined, minute: number, action: PageTelling['action'] = 'update'): PageTelling {
  return { action, timeMs: at(minute), ...(anchor !== undefined && { anchor }) };
}

function change(minute: number | undefined, facts: Partial<FeedChange> = {}): FeedChange {
  const time = minute === undefined ? {} : { time: new Date(at(minute)).toISOString() };
  return { id: 'e', action: 'update', url: PAGE, ...time, provenance: { by: 'aicf' }, ...facts };
}

function seamOf(tellings: readonly PageTelling[], facts: Partial<Seam> = {}): Seam {
  return { falls: [FALL], tellings: new Map([[PAGE, tellings]]), isReturning: true, ...facts };
}

const B = { anchor: 'b' };

describe('what the pages told is not told again', () => {
  test.each([
    ['the same section', change(15, B), told('b', 16)],
    ['a section, when its page was told as a whole', change(15, B), told(undefined, 16)],
    ['a page, when one of its sections was told', change(15), told('b', 16)],
    [
      'the address of the page with a fragment, and an anchor with a hash',
      change(15, { url: `${PAGE}#b`, anchor: '#b' }),
      told('b', 16),
    ],
    ['an edit that the next look told late', change(15, B), told('b', 29)],
    ['an edit that is claimed later than it was told, and before the last look', change(20, B), told('b', 16)],
    ['a page that is gone', change(15, { action: 'delete' }), told(undefined, 16, 'delete')],
    ['an edit of a page that is gone meanwhile', change(15, B), told(undefined, 20, 'delete')],
    ['what the first reading of the pages told', change(5, B), told('b', 10)],
    [
      'a page that claims to be older than the feed’s last reading',
      change(-60, { action: 'create' }),
      told(undefined, 16, 'create'),
    ],
    ['an edit without a time', change(undefined, B), told('b', 16)],
    ['a day', change(undefined, { ...B, time: '2026-03-01T00:00:00Z' }), told('b', 16)],
    [
      'the same text, whatever its time says',
      change(45, { ...B, checksum: 'sha256:1' }),
      { ...told('b', 16), checksum: 'sha256:1' },
    ],
  ])('%s', (_, said, telling) => {
    expect(isTold(said, seamOf([telling]))).toBe(true);
  });
});

describe('everything else is', () => {
  test.each([
    ['another section', change(15, { anchor: 'c' }), told('b', 16)],
    ['an edit behind the last look', change(31, B), told('b', 16)],
    ['an edit that nobody told: before the first reading of the pages', change(5, B), told('b', 16)],
    ['that a page is gone which the pages still show', change(15, { action: 'delete' }), told(undefined, 16)],
    ['an endpoint', change(15, { kind: 'endpoint' }), told(undefined, 16)],
  ])('%s', (_, said, telling) => {
    expect(isTold(said, seamOf([telling]))).toBe(false);
  });

  test('a page that the pages never told', () => {
    expect(isTold(change(15, { url: 'https://site.example/other' }), seamOf([told('b', 16)]))).toBe(false);
  });

  test('what says little of its time, once the feed has been read to its end', () => {
    const later = seamOf([told('b', 16)], { isReturning: false });
    for (const said of [
      change(undefined, B),
      change(undefined, { ...B, time: '2026-03-01T00:00:00Z' }),
      change(-60, B),
    ]) {
      expect(isTold(said, later)).toBe(false);
    }
    expect(isTold(change(15, B), later), 'a feed that comes with it late').toBe(true);
  });
});

describe('with the last look at hand', () => {
  const look = (facts: Partial<LastLook> = {}): Partial<Seam> => ({
    lastLook: { toldBefore: { ids: new Set(['e']), boundaries: new Set() }, seenMs: () => at(30), ...facts },
  });
  const nothingBefore = { toldBefore: { ids: new Set<string>(), boundaries: new Set<string>() } };

  test('what the feed told before it is in it, whatever the clock of the publisher says', () => {
    expect(isTold(change(45, B), seamOf([told('b', 16)], look()))).toBe(true);
    expect(isTold(change(45, B), seamOf([told('b', 16)]))).toBe(false);
  });

  test('a page that could not be read, or is not believed, was not seen', () => {
    const unseen = look({ seenMs: () => undefined });
    expect(isTold(change(20, B), seamOf([told('b', 16)], unseen))).toBe(false);
    expect(isTold(change(15, B), seamOf([told('b', 16)], unseen))).toBe(true);
  });

  test('what came while it was taken counts by the moment in which its page was asked for', () => {
    const during = look({ ...nothingBefore, seenMs: () => at(32) });
    expect(isTold(change(31, B), seamOf([told('b', 33)], during))).toBe(true);
    expect(isTold(change(32, { ...B, time: new Date(at(32, 2)).toISOString() }), seamOf([told('b', 33)], during))).toBe(
      false,
    );
  });

  test('a second in which both lie is decided by whether something else explains what was told', () => {
    const time = new Date(at(32, 0)).toISOString();
    const seenMs = () => at(32, 500);
    const said = change(undefined, { ...B, time: time.replace('.000', '') });
    expect(
      isTold({ ...said, time: '2026-03-01T10:32:01Z' }, seamOf([told('b', 33)], look({ ...nothingBefore, seenMs }))),
    ).toBe(false);
    const same = { ...said, time: '2026-03-01T10:32:00Z' };
    expect(isTold(same, seamOf([told('b', 33)], look({ ...nothingBefore, seenMs })))).toBe(true);
    const explained = { toldBefore: { ids: new Set(['x']), boundaries: new Set([`${PAGE}#b`]) }, seenMs };
    expect(isTold(same, seamOf([told('b', 33)], look(explained)))).toBe(false);
  });
});

test('a batch keeps its order and its memory; what was told is marked in its place', async () => {
  const changes = [change(5, { id: '1', ...B }), change(15, { id: '2', ...B }), change(31, { id: '3', ...B })];
  async function* batches(): AsyncGenerator<Batch, ReadingEnd> {
    yield { entry: PAGE, id: 'site', changes, memory: { position: 3 } };
    return { freshMs: 60_000 };
  }
  const through = throughSeam(batches(), async () => seamOf([told('b', 16)]));
  const first = await through.next();
  if (first.done) throw new Error('There is a batch.');
  expect([...first.value.changes].map(({ id, isTold: is }) => [id, is])).toEqual([
    ['1', undefined],
    ['2', true],
    ['3', undefined],
  ]);
  expect(first.value).toMatchObject({ entry: PAGE, memory: { position: 3 } });
  expect(await through.next()).toEqual({ done: true, value: { freshMs: 60_000 } });
});

/** Edits of three sections, looks at the page, a feed that is away in between: each edit is told behind it, and no more often than edited. */
test('no hole and no double, whenever edits and looks happen', () => {
  // Claims to the millisecond: of a whole second, only a last look at hand can tell on which side it lies.
  const moments = fc.integer({ min: 1, max: 5999 }).filter((ms) => ms % 1000 !== 0);
  const edits = fc.array(fc.record({ minute: moments, anchor: fc.constantFrom('a', 'b', 'c') }), { maxLength: 30 });
  const property = fc.property(edits, fc.uniqueArray(moments, { maxLength: 8 }), (made, times) => {
    const [fromMs, atMs, lastMs] = [1000, 2000, 5000];
    const looks = [...times.filter((ms) => ms > atMs && ms < lastMs), lastMs].sort((one, other) => one - other);
    const all = made.filter(({ minute }) => minute > fromMs).sort((one, other) => one.minute - other.minute);
    const tellings = looks.flatMap((lookMs, index) => {
      const beforeMs = looks[index - 1] ?? atMs;
      const seen = all.filter(({ minute }) => minute > beforeMs && minute <= lookMs);
      return [...new Set(seen.map(({ anchor }) => anchor))].map((anchor) => ({
        action: 'update' as const,
        anchor,
        timeMs: lookMs,
      }));
    });
    const fall = { fromMs, atMs, readMs: atMs, lookedMs: lastMs };
    const seam: Seam = { falls: [fall], tellings: new Map([[PAGE, tellings]]), isReturning: true };
    const byFeed = all
      .map(({ minute, anchor }, index) => ({
        ...change(undefined, { id: `${index}`, anchor }),
        time: new Date(minute).toISOString(),
      }))
      .filter((said) => !isTold(said, seam))
      .map(({ anchor }) => ({ anchor, timeMs: 6000 }));
    const telling = [...tellings, ...byFeed];
    for (const { minute, anchor } of all) {
      expect(telling.some((one) => one.anchor === anchor && one.timeMs >= minute)).toBe(true);
    }
    for (const anchor of ['a', 'b', 'c']) {
      const count = (list: readonly { readonly anchor?: string | undefined }[]) =>
        list.filter((one) => one.anchor === anchor).length;
      expect(count(telling)).toBeLessThanOrEqual(count(all));
    }
  });
  fc.assert(property, { numRuns: 500 });
});
