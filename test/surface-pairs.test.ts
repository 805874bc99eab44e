import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MigrationDelta } from '../src/codecs/agent-feed/wire.ts';
import { decodeDescription } from '../src/codecs/api-description/decode-description.ts';
import { diffSurfaces, migrationOf } from '../src/doors/surface-diff.ts';
import { findDisagreement } from '../src/surface/disagreement.ts';
import { shapeOf } from '../src/surface/shape.ts';
import { expectLaw, pathsOf } from './support/delta-law.ts';

const PAIRS = 'test/surface-pairs/pairs';
const REFUSED = 'test/surface-pairs/refused';

/** One that changed, with an answer from before and one from after. */
interface Pair {
  readonly about: string;
  readonly operation?: string;
  readonly renames?: Record<string, string>;
  readonly migration: MigrationDelta;
  readonly breaking: boolean;
  readonly old: unknown;
  readonly new: unknown;
}

const pairs = foldersIn(PAIRS);

test('there are pairs of every format', async () => {
  expect(pairs.length).toBeGreaterThanOrEqual(30);
  const formats = new Set<string>();
  for (const folder of pairs) {
    const decoded = await decodeDescription(readFileSync(fileOf(join(PAIRS, folder), 'new'), 'utf8'));
    if (decoded.ok) formats.add(decoded.value.format);
  }
  expect([...formats].sort()).toEqual(['a2a', 'graphql', 'json-schema', 'mcp', 'openapi']);
});

describe.each(pairs)('%s', (name) => {
  const folder = join(PAIRS, name);
  const pair = JSON.parse(readFileSync(join(folder, 'pair.json'), 'utf8')) as Pair;
  const files = { old: fileOf(folder, 'old'), new: fileOf(folder, 'new') };
  const { renames = {}, operation } = pair;

  test(`${pair.about}: the delta is the one that a person would write`, async () => {
    const diff = await diffSurfaces({ ...files, renames });
    expect(diff.operations.filter(({ status }) => status === 'incomparable')).toEqual([]);
    expect(migrationOf(diff, operation)).toEqual(pair.migration);
    const chosen = diff.operations.find((each) => [each.endpointId, undefined].includes(operation) && each.migration);
    expect(chosen?.breaking).toBe(pair.breaking);
  });

  test('it leads from the old answer to the new one, and back', () => {
    expectLaw(pair.migration, pathsOf(pair.old), pathsOf(pair.new));
  });

  test('a reader finds nothing to say of the new answer, and something of the old one', () => {
    const record = {
      endpointId: 'x',
      version: '2',
      migrations: [{ from: '1', to: '2', delta: pair.migration, effectiveAt: '2026-01-01T00:00:00Z' }],
    };
    expect(findDisagreement(record, shapeOf(pair.new))).toBeUndefined();
    const { add = [], remove = [], rename = {}, retype = {} } = pair.migration;
    const isNarrowed = Object.values(retype).every(({ from, to }) => from.includes(to) || to.includes(from));
    const isShown = add.length + remove.length + Object.keys(rename).length > 0 || !isNarrowed;
    if (isShown) expect(findDisagreement(record, shapeOf(pair.old))).toBeDefined();
  });

  test('compared with itself it is the same', async () => {
    const diff = await diffSurfaces({ old: files.new, new: files.new });
    expect(new Set(diff.operations.map(({ status }) => status))).toEqual(new Set(['same']));
  });
});

/** One that cannot be compared, and the words that must say so. */
interface Refusal {
  readonly about: string;
  /** Of the whole description; otherwise of an operation. */
  readonly whole?: boolean;
  readonly says: string;
}

const refused = foldersIn(REFUSED);

test('there are enough that must be refused', () => {
  expect(refused.length).toBeGreaterThanOrEqual(12);
});

test.each(refused)('%s could not be compared, and that is said', async (name) => {
  const folder = join(REFUSED, name);
  const refusal = JSON.parse(readFileSync(join(folder, 'pair.json'), 'utf8')) as Refusal;
  const files = { old: fileOf(folder, 'old'), new: fileOf(folder, 'new') };
  if (refusal.whole) {
    await expect(diffSurfaces(files)).rejects.toThrow(refusal.says);
    return;
  }
  const diff = await diffSurfaces(files);
  const lost = diff.operations.filter(({ status }) => status === 'incomparable');
  expect(lost.map(({ reason }) => reason).join('\n')).toContain(refusal.says);
  expect(lost.every(({ migration }) => migration === undefined)).toBe(true);
  expect(() => migrationOf(diff)).toThrow('could not be compared');
});

function foldersIn(folder: string): string[] {
  return readdirSync(folder).sort();
}

function fileOf(folder: string, start: string): string {
  return join(folder, readdirSync(folder).find((file) => file.startsWith(`${start}.`)) ?? start);
}
