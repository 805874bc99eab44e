import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import type { CheckRecord, SourceCheck, SourceHealth, WatchedSource } from '../../hub/store/hub-store.ts';
import { openRawDatabase } from './database.ts';
import { openSqliteHubStore } from './hub-store.ts';

const SOURCES = 100;
const ROUNDS = 20;
const MOST_BYTES = 2048;
const NOON = Date.parse('2026-03-01T12:00:00Z');

const HEALTH: SourceHealth = {
  changed: false,
  failures: 0,
  intervalMs: 60_000,
  dueAtMs: NOON,
  changeGapsMs: [1, 2, 3],
};

function sourceOf(id: string): WatchedSource {
  const config = { id, kind: 'page', urls: [`https://${id}.example/`] } as const;
  return { config, origin: 'api', addedAtMs: NOON, health: HEALTH };
}

function quietCheck(source: string, atMs: number): SourceCheck {
  const health = { ...HEALTH, lastCheckMs: atMs, lastOkMs: atMs, dueAtMs: atMs + 60_000 };
  return { check: { source, atMs, tookMs: 5, outcome: 'ok', changes: 0, pages: 1 }, health };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-quiet-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a check that found nothing writes at most 2 KB, whatever its source has behind it', async () => {
  const folder = newFolder();
  await using store = await openSqliteHubStore({ folder });
  const ids = Array.from({ length: SOURCES }, (_, index) => `s${index}`);
  await store.putSources(ids.map(sourceOf));
  let nowMs = NOON;
  for (let round = 0; round < 60; round += 1, nowMs += 60_000) {
    await store.recordChecks(ids.map((id) => quietCheck(id, nowMs)));
  }
  // Who reads an older state keeps the write-ahead log from beginning anew, so that its length is what was written.
  const reader = await openRawDatabase(join(folder, 'tidings.db'), { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM hub_sources').get();
  const lengthOf = () => statSync(join(folder, 'tidings.db-wal')).size;
  const first = quietCheck('s0', nowMs);
  await store.recordChecks([first]);
  const before = lengthOf();
  for (let round = 0; round < ROUNDS; round += 1, nowMs += 60_000) {
    await store.recordChecks(ids.map((id) => quietCheck(id, nowMs)));
  }
  const bytes = (lengthOf() - before) / (ROUNDS * SOURCES);
  reader.close();
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  expect(await store.checksOf('s7', 1000)).toHaveLength(80);
});

type Step =
  | { readonly is: 'check'; readonly ids: readonly string[]; readonly found: 'nothing' | 'changes' | 'error' }
  | { readonly is: 'many'; readonly times: number }
  | { readonly is: 'pause' | 'remove'; readonly id: string }
  | { readonly is: 'reopen' };

const anId = fc.constantFrom('a', 'b', 'c');
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    is: fc.constant('check' as const),
    ids: fc.array(anId, { minLength: 1, maxLength: 4 }),
    found: fc.constantFrom('nothing' as const, 'nothing' as const, 'changes' as const, 'error' as const),
  }),
  fc.record({ is: fc.constant('many' as const), times: fc.integer({ min: 1, max: shortOrLong(150, 1500) }) }),
  fc.record({ is: fc.constantFrom('pause' as const, 'remove' as const), id: anId }),
  fc.constant({ is: 'reopen' as const }),
);

test('a check that found something, when as many as may have waited, is the last word on its source', async () => {
  await using store = await openSqliteHubStore({ folder: newFolder() });
  await store.putSources([sourceOf('a')]);
  await store.recordChecks(Array.from({ length: 2000 }, (_, index) => quietCheck('a', NOON + index)));
  const quiet = quietCheck('a', NOON + 5000);
  const health = { ...quiet.health, failures: 1 };
  await store.recordChecks([{ check: { ...quiet.check, outcome: 'error' }, health }]);
  expect((await store.sources())[0]?.health.failures).toBe(1);
  expect(await store.checksOf('a', 2)).toMatchObject([{ outcome: 'error' }, { atMs: NOON + 1999 }]);
});

test('sources and their checks are what they would be if each were written by itself, over restarts and for other readers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { maxLength: 25 }), async (steps) => {
      const folder = newFolder();
      const model = new Map<string, { source: WatchedSource; checks: CheckRecord[] }>();
      let nowMs = NOON;
      let store = await openSqliteHubStore({ folder });
      const checkOf = (id: string, found: string): SourceCheck => {
        nowMs += 1000;
        const quiet = quietCheck(id, nowMs);
        if (found === 'nothing')
          return nowMs % 3000 === 0 ? { ...quiet, health: { ...quiet.health, notes: ['x'] } } : quiet;
        const outcome = found === 'error' ? 'error' : 'ok';
        const health = { ...quiet.health, failures: Number(found === 'error') };
        return { check: { ...quiet.check, outcome, changes: Number(found === 'changes') }, health };
      };
      const record = async (checks: readonly SourceCheck[]) => {
        await store.recordChecks(checks);
        for (const { check, health } of checks) {
          const known = model.get(check.source);
          if (known === undefined) continue;
          known.source = { ...known.source, health };
          known.checks = [check, ...known.checks].slice(0, 500);
        }
      };
      const add = async (id: string) => {
        await store.putSources([sourceOf(id)]);
        model.set(id, { source: sourceOf(id), checks: [] });
      };
      for (const id of ['a', 'b', 'c']) await add(id);
      for (const step of steps) {
        if (step.is === 'check') await record(step.ids.map((id) => checkOf(id, step.found)));
        else if (step.is === 'many') await record(Array.from({ length: step.times }, () => checkOf('a', 'nothing')));
        else if (step.is === 'reopen') {
          await store[Symbol.asyncDispose]();
          store = await openSqliteHubStore({ folder });
        } else if (step.is === 'remove') {
          await store.removeSource(step.id);
          await add(step.id);
        } else {
          const known = model.get(step.id);
          if (known === undefined) continue;
          known.source = { ...known.source, paused: 'for now', health: { ...known.source.health, dueAtMs: nowMs } };
          await store.putSources([known.source]);
        }
      }
      {
        await using reader = await openSqliteHubStore({ folder, readonly: true });
        for (const place of [store, reader]) {
          expect(await place.sources()).toEqual([...model.values()].map(({ source }) => source));
          for (const [id, { checks }] of model) expect(await place.checksOf(id, 500)).toEqual(checks);
        }
      }
      await store[Symbol.asyncDispose]();
    }),
    { numRuns: shortOrLong(15, 300) },
  );
});
