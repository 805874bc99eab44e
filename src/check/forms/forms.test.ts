import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { HOSTILE_STRINGS } from '../../../test/support/hostile-strings.ts';
import { matchesSchema } from '../../../test/support/json-schema.ts';
import { SARIF_SCHEMA } from '../../../test/support/sarif-schema.ts';
import type { CheckReport } from '../check-report.ts';
import { checkBadge } from './badge.ts';
import { encodeJunit } from './junit.ts';
import { reportPage } from './report-html.ts';
import { findingPlace, reportVerdict } from './report-verdict.ts';
import { encodeSarif, sarifLog } from './sarif.ts';

const TOOL = { version: '1.2.3', homepage: 'https://tidings.example/' };

const fault = (over: Partial<CheckReport['findings'][number]> = {}) => ({
  clause: 'X-1',
  level: 'MUST' as const,
  where: 'site/feed.ndjson:3',
  seen: 'It has no id.',
  remedy: 'Give one.',
  ...over,
});

const REPORT: CheckReport = {
  target: './site',
  spec: 'x',
  clauses: [
    { id: 'X-1', level: 'MUST', text: 'An id is there.', status: 'fail' },
    { id: 'X-2', level: 'SHOULD', text: 'It is short.', status: 'pass' },
    { id: 'X-3', level: 'MUST', text: 'Readers behave.', status: 'not-checkable', reason: 'It binds readers.' },
  ],
  findings: [fault(), fault({ clause: 'X-2', level: 'SHOULD', where: 'https://docs.example:8443/a b' })],
  hints: { 'X-1': { where: '`_headers`', write: '/feed\n  X: "y"' }, 'X-2': { none: 'There is nothing to write.' } },
  notes: ['Something besides.'],
  others: [
    { target: './site', spec: 'hosting', clauses: [], findings: [fault({ clause: 'HOST-1' })], unread: ['y: 503'] },
  ],
};

/** Every text of it is from outside. */
const hostileReport = (text: string): CheckReport => ({
  ...REPORT,
  target: text,
  findings: [fault({ where: text, seen: text, remedy: text })],
  notes: [text],
  unread: [text],
});

test('SARIF has what the schema asks for, whatever the findings quote', () => {
  expect(matchesSchema(SARIF_SCHEMA, JSON.parse(encodeSarif(REPORT, TOOL)))).toBe(true);
  for (const text of HOSTILE_STRINGS) {
    expect(matchesSchema(SARIF_SCHEMA, JSON.parse(encodeSarif(hostileReport(text), TOOL))), text).toBe(true);
  }
  expect(matchesSchema(SARIF_SCHEMA, { ...sarifLog(REPORT, TOOL), more: 1 }), 'planted').toBe(false);
});

test('SARIF names rule, level, place and what to do', () => {
  const [run] = sarifLog(REPORT, TOOL).runs;
  expect(run?.results.map(({ ruleId, level, locations }) => [ruleId, level, locations[0]?.physicalLocation])).toEqual([
    ['X-1', 'error', { artifactLocation: { uri: 'site/feed.ndjson' }, region: { startLine: 3 } }],
    ['X-2', 'warning', { artifactLocation: { uri: 'https://docs.example:8443/a%20b' } }],
    ['HOST-1', 'error', { artifactLocation: { uri: 'site/feed.ndjson' }, region: { startLine: 3 } }],
  ]);
  const rules = run?.tool.driver.rules ?? [];
  expect(run?.results.map(({ ruleIndex, ruleId }) => rules[ruleIndex]?.id === ruleId)).toEqual([true, true, true]);
  expect(rules[0]).toMatchObject({
    shortDescription: { text: 'An id is there.' },
    helpUri: 'https://tidings.example/docs/conformance#x-1',
    help: { text: 'Give one.\n\nIn `_headers`:\n\n/feed\n  X: "y"' },
  });
  expect(run?.invocations[0]).toMatchObject({ executionSuccessful: false });
});

test('the fingerprint of a finding stays when lines and counts move, and tells findings apart', () => {
  const printOf = (...findings: CheckReport['findings']) =>
    sarifLog({ ...REPORT, findings, others: [] }, TOOL).runs[0]?.results.map(
      (each) => each.partialFingerprints['tidings/v1'],
    );
  const [first] = printOf(fault({ seen: 'Line 3 of 10.' })) ?? [];
  expect(printOf(fault({ seen: 'Line 4 of 12.', where: 'site/feed.ndjson:4' }))).toEqual([first]);
  const both = printOf(fault({ seen: 'Line 3 of 10.' }), fault({ seen: 'Line 5 of 10.' })) ?? [];
  expect([both[0], new Set(both).size]).toEqual([first, 2]);
  expect(printOf(fault({ seen: 'Line 3 of 10.', clause: 'X-2' }))).not.toEqual([first]);
});

/** The elements of an XML document, by a parser of others; throws where it is not well-formed. */
function elementsOf(xml: string): { name: string; attributes: Record<string, string>; text: string }[] {
  const found: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) =>
    found.push({ name, attributes: attributes as Record<string, string>, text: '' }),
  );
  parser.on('text', (text) => {
    const last = found.at(-1);
    if (last !== undefined) last.text += text;
  });
  parser.write(xml).close();
  return found;
}

test('JUnit has a test for each clause, with failures, skips and what could not be read', () => {
  const elements = elementsOf(encodeJunit(REPORT));
  const names = (name: string) => elements.filter((each) => each.name === name);
  expect(names('testsuites')[0]?.attributes).toMatchObject({ tests: '5', failures: '2', errors: '1', skipped: '1' });
  expect(names('testsuite').map(({ attributes }) => attributes.name)).toEqual(['x', 'hosting']);
  expect(names('failure')[0]).toMatchObject({ attributes: { type: 'MUST', message: 'It has no id.' } });
  expect(names('failure')[0]?.text).toContain('X: "y"');
  expect(names('system-out'), 'a SHOULD is no failure unless it is asked for').toHaveLength(1);
  const strict = elementsOf(encodeJunit(REPORT, { failing: ['MUST', 'SHOULD'] }));
  expect(strict.filter(({ name }) => name === 'failure')).toHaveLength(3);
});

test('JUnit is well-formed whatever the findings quote, and has no control characters', () => {
  const texts = [...HOSTILE_STRINGS, ']]>', '\u0000\u0007\u001b[31m\u0085\u009b', '\ud800 alone', '\ufffe\uffff'];
  for (const text of texts) {
    const xml = encodeJunit(hostileReport(text));
    expect(() => elementsOf(xml), JSON.stringify(text)).not.toThrow();
    expect(xml).not.toMatch(/(?![\n])\p{Cc}/u);
  }
});

test('a page has no script, asks for nothing, and shows hostile text as text', () => {
  for (const text of HOSTILE_STRINGS) {
    const page = String(reportPage(hostileReport(text), 'p{color:red}'));
    expect(page).not.toMatch(/<(?:script|img|iframe|svg|link|object|a)\b|<[^>]*\son\w+=/i);
    expect(page).toContain("default-src 'none'; style-src &#39;sha256-".replaceAll("'", '&#39;'));
  }
  expect(() => reportPage(REPORT, '</style><script>')).toThrow('end its element');
});

test('the badge has fixed words, a title and no script', () => {
  for (const verdict of ['passing', 'warnings', 'failing', 'unknown'] as const) {
    const elements = elementsOf(String(checkBadge(verdict)));
    expect(elements.find(({ name }) => name === 'title')?.text.trim()).toBe(`change feeds: ${verdict}`);
    expect(elements.map(({ name }) => name)).not.toContain('script');
  }
});

test('a verdict is the gravest of what was found, and says when not all was read', () => {
  const verdictOf = (over: Partial<CheckReport>) => reportVerdict({ ...REPORT, others: [], findings: [], ...over });
  expect(verdictOf({})).toBe('passing');
  expect(verdictOf({ findings: [fault({ level: 'MAY' })] })).toBe('passing');
  expect(verdictOf({ findings: [fault({ level: 'SHOULD' })] })).toBe('warnings');
  expect(verdictOf({ unread: ['x'], findings: [fault({ level: 'SHOULD' })] })).toBe('unknown');
  expect(verdictOf({ unread: ['x'], others: [{ ...REPORT, others: [] }] })).toBe('failing');
});

test.each([
  ['site/a.xml:12', { address: 'site/a.xml', line: 12 }],
  ['https://docs.example:8443', { address: 'https://docs.example:8443' }],
  ['https://docs.example:8443/a:7', { address: 'https://docs.example:8443/a', line: 7 }],
  ['C:\\site\\a.xml', { address: 'C:\\site\\a.xml' }],
])('the place of %s', (where, place) => {
  expect(findingPlace({ where })).toEqual(place);
});
