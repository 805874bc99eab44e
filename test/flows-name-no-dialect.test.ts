import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The flows know the contract of a dialect, and none of the dialects. */
const FLOWS: readonly string[] = [
  'src/produce/produce.ts',
  'src/follow/follow.ts',
  ...readdirSync('src/hub/visit')
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `src/hub/visit/${name}`),
];

const DIALECT = /aicf|diff-?delta|agent-?feed|resource-?sync|\batom\b|llms/gi;

test.each(FLOWS)('%s names no dialect', (file) => {
  expect(namedIn(readFileSync(file, 'utf8'))).toEqual([]);
});

test.each([
  [`if (formats.includes('aicf')) publishAicf();`, ['aicf', 'Aicf']],
  [`import { readAtom } from '../dialects/atom/read.ts';`, ['atom']],
  ['/** Of a ResourceSync list, an agent feed or llms.txt. */', ['ResourceSync', 'llms']],
  ['const agentFeed = 1; // DiffDelta', ['agentFeed', 'DiffDelta']],
])('a flow that names one is caught: %s', (source, names) => {
  expect(namedIn(source)).toEqual(names);
});

test('words that only look like one are none', () => {
  expect(namedIn('Files are replaced atomically; a feed; a resource.')).toEqual([]);
});

function namedIn(source: string): readonly string[] {
  return source.match(DIALECT) ?? [];
}
