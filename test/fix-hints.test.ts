import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOSTING_CLAUSES, HOSTING_HINTS } from '../src/check/hosting.ts';
import { type FixHints, hintFor } from '../src/dialects/fix-hint.ts';
import { DIALECTS } from '../src/dialects/registry.ts';

/** Clauses by their spelling, and what else findings are filed under. */
const RULE = /'((?:AICF|DD|AF|RS|AWI|TL|HOST)-[A-Z]*\d+|RESOURCESYNC-[A-Z]+|FEED-FORM)'/g;

/** What the checks of a dialect name: the rules that they can report. */
function reportable(...folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('-hints.ts'))
      .filter((file) => folder.includes('/check') || /^(?:check|validate|decode|issue|decoded)/.test(file))
      .map((file) => join(folder, file)),
  );
  const named = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(RULE)].map(([, id]) => id ?? ''));
  return [...new Set(named)];
}

/** A name that stands for what is missing, or nothing. */
function flawOf(hints: FixHints, id: string): string | undefined {
  const hint = hintFor(hints, id);
  if (hint === undefined) return `${id}: no hint`;
  if ('none' in hint) return hint.none.length < 20 ? `${id}: no reason` : undefined;
  return hint.where === '' || hint.write.trim() === '' ? `${id}: an empty hint` : undefined;
}

const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  aicf: ['src/dialects/aicf/check', 'src/codecs/aicf'],
  diffdelta: ['src/dialects/diffdelta/check', 'src/codecs/diffdelta'],
  resourcesync: ['src/dialects/resourcesync/check', 'src/codecs/resourcesync', 'src/codecs/atom'],
  'agent-feed': ['src/dialects/agent-feed/check', 'src/codecs/agent-feed'],
  aiwebindex: ['src/dialects/aidocument/check', 'src/codecs/aidocument'],
  tlog: ['src/dialects/tlog/check'],
};

test('every clause of every dialect has a hint, or a reason why there is none', async () => {
  const checked = DIALECTS.filter(({ checker }) => checker !== undefined);
  expect(checked.map(({ name }) => name).sort()).toEqual(Object.keys(FOLDERS).sort());
  for (const dialect of checked) {
    const clauses = ((await dialect.clauses?.()) ?? []).map(({ id }) => id);
    const named = reportable(...(FOLDERS[dialect.name] ?? []));
    expect(named.length, `the scan of ${dialect.name} is empty`).toBeGreaterThan(20);
    const { hints } = (await dialect.checker?.()) ?? { hints: {} };
    expect([...new Set([...clauses, ...named])].flatMap((id) => flawOf(hints, id) ?? [])).toEqual([]);
  }
  expect(HOSTING_CLAUSES.flatMap(({ id }) => flawOf(HOSTING_HINTS, id) ?? [])).toEqual([]);
});

test('no table has a line that fits nothing', async () => {
  for (const dialect of DIALECTS) {
    const checker = await dialect.checker?.();
    if (checker === undefined) continue;
    const ids = [
      ...((await dialect.clauses?.()) ?? []).map(({ id }) => id),
      ...reportable(...(FOLDERS[dialect.name] ?? [])),
    ];
    const used = Object.keys(checker.hints).filter((key) => {
      const { [key]: hint } = checker.hints;
      return ids.some((id) => (key.endsWith('*') ? id.startsWith(key.slice(0, -1)) : id === key) && hint !== undefined);
    });
    expect(used, dialect.name).toEqual(Object.keys(checker.hints));
  }
});

test('planted: a missing line, an empty one and one without a reason are found', () => {
  const hints: FixHints = {
    'X-1': { where: 'here', write: ' ' },
    'X-2': { none: 'no' },
    'X-3*': { where: 'a', write: 'b' },
  };
  expect(['X-1', 'X-2', 'X-30', 'X-4'].map((id) => flawOf(hints, id))).toEqual([
    'X-1: an empty hint',
    'X-2: no reason',
    undefined,
    'X-4: no hint',
  ]);
});

test('the longest beginning that fits counts, and the name of a clause more', () => {
  const line = (write: string) => ({ where: 'x', write });
  const hints: FixHints = { 'A-*': line('a'), 'A-PA*': line('pa'), 'A-P*': line('p'), 'A-PA1': line('pa1') };
  const wrote = (id: string) => {
    const hint = hintFor(hints, id);
    return hint !== undefined && 'write' in hint ? hint.write : undefined;
  };
  expect(['A-PA1', 'A-PA2', 'A-P1', 'A-X', 'B-1', 'constructor'].map(wrote)).toEqual([
    'pa1',
    'pa',
    'p',
    'a',
    undefined,
    undefined,
  ]);
});
