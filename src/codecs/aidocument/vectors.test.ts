import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkAIDocument } from './check.ts';
import { decodeAIDocument } from './decode.ts';

interface Vector {
  readonly file: string;
  readonly about: string;
}

const VECTORS = new URL('../../../specs/aiwebindex/vectors/', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, VECTORS), 'utf8');

const valid: { documents: (Vector & { becomes?: object })[] } = JSON.parse(textOf('valid/index.json'));
const invalid: { documents: (Vector & { clause: string })[] } = JSON.parse(textOf('invalid/index.json'));
const contradictory: typeof invalid = JSON.parse(textOf('contradictory/index.json'));
const INDEXES = { valid, invalid, contradictory };

test.each(['valid', 'invalid', 'contradictory'] as const)(
  'the index of %s lists every vector and no other',
  (folder) => {
    const listed = INDEXES[folder].documents.map(({ file }) => file);
    const present = readdirSync(new URL(`${folder}/`, VECTORS)).filter((file) => file !== 'index.json');
    expect(listed.length).toBeGreaterThanOrEqual(10);
    expect(listed.sort()).toEqual(present.sort());
    expect(present.filter((file) => !/^AWI-[A-Z]+\d+-[a-z0-9-]+\.json$/.test(file))).toEqual([]);
  },
);

test.each(valid.documents)('valid: $file: $about', ({ file, becomes }) => {
  const text = textOf(`valid/${file}`);
  expect(decodeAIDocument(text)).toEqual({ ok: true, value: becomes ?? JSON.parse(text) });
  expect(checkAIDocument(JSON.parse(text)).filter(({ level }) => level === 'MUST')).toEqual([]);
});

test.each(invalid.documents)('invalid: $file breaks $clause: $about', ({ file, clause }) => {
  const text = textOf(`invalid/${file}`);
  const decoded = decodeAIDocument(text);
  expect(decoded).toMatchObject({ ok: false, issues: [{ clause }] });
  expect(checkAIDocument(JSON.parse(text)).filter(({ level }) => level === 'MUST')).toMatchObject([{ clause }]);
});

test.each(contradictory.documents)('contradictory: $file breaks $clause: $about', ({ file, clause }) => {
  const text = textOf(`contradictory/${file}`);
  expect(decodeAIDocument(text)).toMatchObject({ ok: true });
  const broken = checkAIDocument(JSON.parse(text)).filter(({ level }) => level === 'MUST');
  expect([...new Set(broken.map((finding) => finding.clause))]).toEqual([clause]);
});
