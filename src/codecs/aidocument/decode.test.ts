import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeAIDocument } from './decode.ts';
import type { AIDocument } from './wire.ts';

const VECTORS = new URL('../../../specs/aiwebindex/vectors/', import.meta.url);
const EXAMPLE: AIDocument = JSON.parse(readFileSync(new URL('valid/AWI-DOC1-spec-example.json', VECTORS), 'utf8'));
const FLAT = JSON.parse(readFileSync(new URL('valid/AWI-MG1-version-1.json', VECTORS), 'utf8'));

const decode = (value: unknown) => decodeAIDocument(JSON.stringify(value));

clause('AWI-DOC1', 'the example of the specification decodes to itself', () => {
  expect(decode(EXAMPLE)).toEqual({ ok: true, value: EXAMPLE });
});

clause(['AWI-DOC3', 'AWI-DOC4', 'AWI-MG5'], 'groups and fields of a later 2.x are kept', () => {
  const later = { ...EXAMPLE, schema: { name: 'AIDocument', version: '2.17', hint: 1 }, future: { a: [null] } };
  expect(decode(later)).toEqual({ ok: true, value: later });
});

clause(['AWI-SCH2', 'AWI-MG5'], 'other versions than 2.x are refused', () => {
  for (const [version] of [['3.0'], ['1.0'], ['20.0'], ['2'], [2.0], [null]] as [unknown][]) {
    const refused = decode({ ...EXAMPLE, schema: { name: 'AIDocument', version } });
    expect(refused).toMatchObject({ ok: false, issues: [{ clause: 'AWI-SCH2' }] });
  }
});

clause(['AWI-MG2', 'AWI-MG3'], 'a 1.0 document loses the three fields that are not portable, and nothing else', () => {
  const decoded = decode(FLAT);
  expect(decoded.ok).toBe(true);
  expect(JSON.stringify(decoded)).not.toMatch(/fetch_duration_ms|content_length|user_agent/);
});

clause('AWI-MG6', 'a schema object decides before a top-level url does', () => {
  expect(decode({ ...EXAMPLE, url: 'https://example.com/other' })).toMatchObject({
    ok: true,
    value: { source: { url: 'https://example.com/article' } },
  });
  expect(decode({ schema: {}, url: 'https://example.com/', markdown: '' })).toMatchObject({ ok: false });
});

clause(['AWI-MG1', 'AWI-DOC5'], 'what a 1.0 document says with null is absent in 2.0', () => {
  const decoded = decode({ ...FLAT, description: null, meta: null });
  if (!decoded.ok) throw new Error(decoded.issues[0].message);
  expect(decoded.value.identity).toEqual({ title: 'How HTTP works' });
  expect(decoded.value.signals).toEqual({ has_json_ld: true, heading_hierarchy_ok: true });
});

clause('AWI-MG1', 'wrong types in a 1.0 document are refused at their new path', () => {
  expect(decode({ ...FLAT, headings: [{ level: 0, text: 3 }] })).toMatchObject({
    ok: false,
    issues: [
      { clause: 'AWI-ST3', message: expect.stringContaining('structure.headings[0].level') },
      { clause: 'AWI-ST3' },
    ],
  });
});

clause('AWI-DOC1', 'what is not one JSON object is refused', () => {
  for (const [text] of [['[]'], ['null'], ['"x"'], [''], ['{'], ['{} {}'], ['<html>']] as [string][]) {
    expect(decodeAIDocument(text)).toMatchObject({ ok: false, issues: [{ clause: 'AWI-DOC1' }] });
  }
});

test('a byte order mark before the JSON is passed over', () => {
  expect(decodeAIDocument(`\uFEFF${JSON.stringify(EXAMPLE)}`).ok).toBe(true);
});

test('hostile JSON is refused or made harmless', () => {
  expect(decodeAIDocument(`${'['.repeat(200_000)}${']'.repeat(200_000)}`).ok).toBe(false);
  const text = JSON.stringify(EXAMPLE).replace('"identity":{', '"identity":{"__proto__":{"polluted":1},');
  const decoded = decodeAIDocument(text);
  if (!decoded.ok) throw new Error(decoded.issues[0].message);
  expect(Object.keys(decoded.value.identity)).not.toContain('__proto__');
  expect(Reflect.get(decoded.value.identity, 'polluted')).toBeUndefined();
});

test('a hundred thousand wrong links give a bounded list of issues', () => {
  const links = Array.from({ length: 100_000 }, () => ({}));
  const decoded = decode({ ...EXAMPLE, structure: { links } });
  expect(decoded.ok ? 0 : decoded.issues.length).toBeLessThan(200);
});
