import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  CONFORMANCE_PAGE,
  entriesOf,
  findClauseCalls,
  findGaps,
  findUnreached,
  parseClauses,
  parseExceptions,
  readConformance,
  renderConformance,
} from '../scripts/conformance.mjs';

const HEADER = 'id\tlevel\trole\tsection\tclause\thow to test\n';
const CLAUSES = parseClauses(
  'x',
  `${HEADER}X-1\tMUST\tpublisher\t§1\tIt is so.\t-\nX-2\tSHOULD\tclient\t§2\tIt is | was.\t-\nX-3\tMAY\tclient\t§3\tMaybe.\t-\n`,
);

test('every MUST has a test, every SHOULD has a test or a reason', () => {
  const conformance = readConformance('.');
  expect(conformance.clauses.length, 'the scan found no clauses').toBeGreaterThan(60);
  expect(conformance.shown.length, 'the scan found no tests').toBeGreaterThan(40);
  expect(findGaps(conformance)).toEqual([]);
});

test('docs/conformance.md is in sync (npm run conformance regenerates it)', () => {
  expect(readFileSync(CONFORMANCE_PAGE, 'utf8')).toBe(renderConformance(readConformance('.')));
});

test('calls are found in every shape that the formatter leaves', () => {
  const source = `
    clause('X-1', 'one line', () => {});
    clause(
      ['X-2', "X-3"],
      'it\\'s over several lines',
      async () => {},
    );
    // clause('X-4', 'a comment', () => {});
  `;
  expect(findClauseCalls('a.test.ts', source).shown).toEqual([
    { id: 'X-1', file: 'a.test.ts', title: 'one line' },
    { id: 'X-2', file: 'a.test.ts', title: "it's over several lines" },
    { id: 'X-3', file: 'a.test.ts', title: "it's over several lines" },
  ]);
});

test('a call that the scan cannot read is a gap, not a silence', () => {
  const calls = findClauseCalls('a.test.ts', `\nfor (const id of ids) clause(id, 'says it', () => {});`);
  expect(findGaps({ clauses: [], exceptions: [], ...calls })).toEqual([
    'a.test.ts:2: clause ids and title must be literals',
  ]);
});

test('a test that names more than three clauses shows none of them', () => {
  const three = `clause(['X-1', 'X-2', 'X-3'], 'says it', () => {});`;
  expect(findClauseCalls('a.test.ts', three)).toMatchObject({ shown: [{}, {}, {}], flaws: [] });
  const four = findClauseCalls('a.test.ts', three.replace(`'X-3'`, `'X-3', 'X-4'`));
  expect(four).toEqual({ shown: [], flaws: ['a.test.ts:1: names 4 clauses; a test shows 3 at most'] });
  expect(findGaps({ clauses: CLAUSES, exceptions: [], ...four })).toContain('X-1: MUST without a test');
});

const REACHED = new Map([
  ['src/cli/main.ts', `await import('../doors/publish.ts');`],
  [
    'src/doors/publish.ts',
    `import { write } from '../produce/write.ts';\nimport type { Lost } from '../produce/lost.ts';`,
  ],
  ['src/produce/write.ts', 'export const write = 1;'],
  ['src/produce/lost.ts', 'export const lost = 1;'],
  ['src/log/log.contract.ts', `import { write } from '../produce/write.ts';`],
  ['test/support/helper.ts', `import { lost } from '../../src/produce/lost.ts';`],
]);

test.each([
  ['a module that nobody imports', 'src/produce/a.test.ts', `import { lost } from './lost.ts';`],
  ['one besides others', 'src/a.test.ts', `import './produce/write.ts';\nimport { lost } from './produce/lost.ts';`],
  ['one behind a helper', 'test/a.test.ts', `import { helper } from './support/helper.ts';`],
])('planted: a test of %s shows nothing', (_, file, source) => {
  const unreached = findUnreached(new Map([...REACHED, [file, source]]), ['src/cli/main.ts']);
  expect(unreached).toEqual(new Map([[file, 'src/produce/lost.ts']]));
});

test.each([
  ['src/produce/a.test.ts', `import { write } from './write.ts';\nimport type { Lost } from './lost.ts';`],
  ['src/log/a.test.ts', `import { describeLog } from './log.contract.ts';`],
  ['test/a.test.ts', `import { publish } from '../src/doors/publish.ts';`],
  ['test/a.test.ts', `import { execFile } from 'node:child_process';`],
])('what %s tests can be reached', (file, source) => {
  expect(findUnreached(new Map([...REACHED, [file, source]]), ['src/cli/main.ts']).size).toBe(0);
});

test('a package is entered by its doors and its command', () => {
  const entries = entriesOf(readFileSync('package.json', 'utf8'));
  expect(entries).toContain('src/cli/main.ts');
  expect(entries).toContain('src/doors/tidings.ts');
  for (const entry of entries) expect(() => readFileSync(entry), entry).not.toThrow();
});

test('each kind of gap is found', () => {
  const none = { clauses: CLAUSES, exceptions: [], shown: [], flaws: [] };
  const shown = [{ id: 'X-1', file: 'a.test.ts', title: 'says it' }];
  expect(findGaps(none)).toEqual([
    'X-1: MUST without a test',
    'X-2: SHOULD without a test and without a reason in exceptions.tsv',
  ]);
  expect(findGaps({ ...none, shown, exceptions: [{ id: 'X-2', reason: 'comes later' }] })).toEqual([]);
  const wrong = parseExceptions('id\treason\nX-1\twhy not\nX-2\t \nX-9\tgone\n');
  expect(
    findGaps({ ...none, shown: [...shown, { id: 'X-8', file: 'b.test.ts', title: '' }], exceptions: wrong }),
  ).toEqual([
    'b.test.ts: there is no clause X-8',
    'exceptions.tsv: X-1 has a test and needs no exception',
    'exceptions.tsv: X-2 has no reason',
    'exceptions.tsv: there is no clause X-9',
  ]);
  expect(findGaps({ ...none, exceptions: [{ id: 'X-1', reason: 'too hard' }] })).toContain(
    'exceptions.tsv: X-1 is a MUST and cannot be excepted',
  );
});

test('the page names clause, level, status and tests', () => {
  const shown = [{ id: 'X-1', file: 'a.test.ts', title: 'says <it>' }];
  const page = renderConformance({
    clauses: CLAUSES,
    exceptions: [{ id: 'X-2', reason: 'comes later' }],
    shown,
    flaws: [],
  });
  expect(page).toContain('| X-1 | MUST | It is so. (§1) | shown | says &lt;it> (`a.test.ts`) |');
  expect(page).toContain('| X-2 | SHOULD | It is \\| was. (§2) | comes later |  |');
  expect(page).toContain('| X-3 | MAY | Maybe. (§3) | optional |  |');
});
