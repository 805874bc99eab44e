import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import type { AnsweredDocument, UnreadDocument } from '../primitives/seen-document.ts';
import { checkAicf } from './check.ts';
import { AICF_CLAUSES } from './clauses.ts';
import { encodeEvent } from './encode.ts';
import type { AicfSeen } from './seen.ts';

const SITE = 'https://docs.example';
const FEED = `${SITE}/ai-changes.ndjson`;
const ID = '01K35T3R0000000000000000';

/** A good event; the two characters end its id. */
const line = (end: string, fields: object = {}) =>
  encodeEvent({
    id: ID + end,
    action: 'update',
    url: `${SITE}/pricing`,
    time: '2025-08-21T10:15:00Z',
    checksum: `sha256:${'0'.repeat(64)}`,
    ...fields,
  });
/** The same with fields that our encoder would not write. */
const rawLine = (end: string, fields: object) => `${JSON.stringify({ ...JSON.parse(line(end)), ...fields })}\n`;

function answered(where: string, body: string | Uint8Array, headers: Record<string, string> = {}): AnsweredDocument {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return { kind: 'answered', where, status: 200, headers, bytes };
}
const unread = (where: string): UnreadDocument => ({ kind: 'unread', where, failure: 'The answer was cut short.' });

const discovery = (body: string, headers: Record<string, string> = {}) =>
  answered(`${SITE}/.well-known/ai-changefeed`, body, {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
  });
const DISCOVERY = JSON.stringify({ aicf_version: '0.1', self: FEED });
const feed = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  answered(FEED, body, { 'content-type': 'application/x-ndjson', etag: '"1"', ...headers });
const LINES = line('A0') + line('B0', { anchor: 'tiers' }) + line('C0', { action: 'delete' });

const GOOD: AicfSeen = {
  discovery: discovery(DISCOVERY),
  feed: feed(LINES),
  feedAgain: { ...answered(FEED, '', { etag: '"1"' }), status: 304 },
  targets: [answered(`${SITE}/pricing`, '', { etag: '"2"' })],
};

const found = (change: Partial<AicfSeen>) => checkAicf({ ...GOOD, ...change }).findings;
const foundIn = (text: string) => found({ feed: feed(text) });
const clausesOf = (findings: readonly { clause: string; level: string }[]) =>
  findings.map((finding) => `${finding.clause} ${finding.level}`);

test('a good site has no findings, and what was looked at is told from what was not', () => {
  const { findings, checked, skipped } = checkAicf(GOOD);
  expect(findings).toEqual([]);
  expect([...checked].sort()).toEqual(
    [
      ...['D1', 'D2', 'D3', 'D4', 'D5', 'D6', 'D7', 'D8', 'D9', 'S1', 'F1', 'F3', 'F4', 'H1', 'H2'],
      ...['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8', 'E9', 'E10', 'E12', 'E13', 'S2', 'P3'],
    ]
      .map((name) => `AICF-${name}`)
      .sort(),
  );
  const silent = AICF_CLAUSES.filter(({ id }) => !checked.has(id) && !skipped.get(id));
  expect(silent).toEqual([]);
});

test('every finding says where, what was seen and what to do', () => {
  const findings = foundIn(
    `not json\n${rawLine('A0', { action: 'move', anchor: '#x', time: 'x', url: 'y' })}${line('B0')}${line('B0')}`,
  );
  expect(findings.length).toBeGreaterThan(4);
  for (const { where, seen, remedy } of findings) {
    expect(where).toMatch(/^https:\/\/docs\.example\/ai-changes\.ndjson(:\d+)?$/);
    expect(seen).toMatch(/\S/);
    expect(remedy).toMatch(/\.$/);
  }
});

clause('AICF-D1', 'a discovery document that is missing or elsewhere is found', () => {
  expect(found({ discovery: { ...discovery(''), status: 404 }, feed: undefined })).toMatchObject([
    { clause: 'AICF-D1', seen: 'The answer has status 404.' },
  ]);
  expect(clausesOf(found({ discovery: unread('x'), feed: undefined }))).toEqual(['AICF-D1 MUST']);
  expect(found({ discoveryMissingAt: `${SITE}/here` })).toMatchObject([{ clause: 'AICF-D1', where: `${SITE}/here` }]);
});

clause('AICF-D2', 'the media type of the discovery document is held to application/json', () => {
  expect(found({ discovery: discovery(DISCOVERY, { 'content-type': 'text/plain' }) })).toMatchObject([
    { clause: 'AICF-D2', seen: 'Its Content-Type is text/plain.' },
  ]);
  expect(clausesOf(found({ discovery: { ...discovery(DISCOVERY), headers: {} } }))).toEqual(['AICF-D2 MUST']);
  const folder = checkAicf({ ...GOOD, discovery: { ...discovery(DISCOVERY), headers: undefined } });
  expect([folder.findings, folder.checked.has('AICF-D2')]).toEqual([[], false]);
});

clause('AICF-D3', 'a discovery document that is no clean JSON object is found', () => {
  expect(clausesOf(found({ discovery: discovery(`\uFEFF${DISCOVERY}`) }))).toEqual(['AICF-D3 MUST']);
  expect(clausesOf(found({ discovery: discovery('[]') }))).toEqual(['AICF-D3 MUST', 'AICF-S1 MUST']);
  const latin1 = { ...discovery(''), bytes: Buffer.from(DISCOVERY.replace('0.1"', '0.1","license":"é"'), 'latin1') };
  expect(found({ discovery: latin1 })).toMatchObject([{ clause: 'AICF-D3', seen: 'Its bytes are not UTF-8.' }]);
  expect(found({ discovery: discovery('<!DOCTYPE html><p>') })).toMatchObject([{ seen: 'It is an HTML page.' }, {}]);
});

clause(
  ['AICF-D5', 'AICF-S1'],
  'a fault of the discovery document is found, and once more as a breach of the schema',
  () => {
    const findings = found({
      discovery: discovery(JSON.stringify({ aicf_version: '0.1', self: 'https://h.example/é', ttl_seconds: -1 })),
    });
    expect(findings).toMatchObject([
      { clause: 'AICF-D5' },
      { clause: 'AICF-D9' },
      { clause: 'AICF-S1', seen: 'It does not validate (AICF-D9, AICF-D5).' },
    ]);
  },
);

clause('AICF-C2', 'a version that v0.1 clients refuse is found', () => {
  expect(clausesOf(found({ discovery: discovery(DISCOVERY.replace('0.1', '9.0')) }))).toEqual(['AICF-C2 SHOULD']);
});

clause('AICF-F1', 'a feed that is missing, cut, HTML or of another type is found', () => {
  expect(found({ feed: { ...feed(''), status: 404 } })).toMatchObject([
    { clause: 'AICF-F1', where: FEED, seen: 'The answer has status 404.' },
  ]);
  expect(found({ feed: unread(FEED) })).toMatchObject([{ clause: 'AICF-F1', seen: 'The answer was cut short.' }]);
  expect(foundIn(' <html><body>Not found')).toMatchObject([{ clause: 'AICF-F1', seen: 'It is an HTML page.' }]);
  expect(found({ feed: feed(LINES, { 'content-type': 'text/plain' }) })).toMatchObject([{ clause: 'AICF-F1' }]);
  expect(found({ feed: feed(LINES, { 'content-type': 'Application/X-NDJSON; charset=utf-8' }) })).toEqual([]);
});

clause('AICF-F4', 'lines that are not whole, not JSON, too long or oddly ended are found with their number', () => {
  expect(foundIn(`${LINES}{"id"\n`)).toMatchObject([{ clause: 'AICF-F4', where: `${FEED}:4` }, { clause: 'AICF-S2' }]);
  expect(foundIn(LINES.trimEnd())).toMatchObject([{ clause: 'AICF-F4', level: 'MUST', where: `${FEED}:3` }]);
  expect(foundIn(`${LINES}{"id":"x`)).toMatchObject([
    { where: `${FEED}:4` },
    { where: `${FEED}:4` },
    { clause: 'AICF-S2' },
  ]);
  expect(foundIn(`\uFEFF${LINES}`)).toMatchObject([{ clause: 'AICF-F4', level: 'MUST', where: FEED }]);
  expect(foundIn(LINES.replaceAll('\n', '\r\n'))).toMatchObject([{ clause: 'AICF-F4', level: 'SHOULD', where: FEED }]);
  expect(foundIn(line('A0', { note: 'x'.repeat(10 * 1024 * 1024) }))).toMatchObject([
    { clause: 'AICF-F4', where: `${FEED}:1` },
    {},
  ]);
  const latin1 = Buffer.from(line('A0', { note: 'é' }), 'latin1');
  expect(found({ feed: feed(latin1) })).toMatchObject([{ clause: 'AICF-F4', seen: 'Its bytes are not UTF-8.' }]);
  expect(foundIn(`\n${line('A0')}\n\n`)).toEqual([]);
});

clause('AICF-F3', 'a time that goes back is found', () => {
  const findings = foundIn(
    line('A0', { time: '2025-08-21T10:15:00.5Z' }) + line('B0', { time: '2025-08-21T12:15:00+02:00' }),
  );
  expect(findings).toMatchObject([{ clause: 'AICF-F3', where: `${FEED}:2` }]);
});

clause('AICF-E2', 'an id that comes twice is found once, where it comes again', () => {
  expect(foundIn(line('A0') + line('B0') + line('A0'))).toMatchObject([
    { clause: 'AICF-E2', where: `${FEED}:3`, seen: expect.stringContaining('line 1') },
  ]);
});

clause('AICF-E3', 'an id that sorts before the one above it is found, compared as bytes', () => {
  expect(clausesOf(foundIn(line('B0') + line('A0')))).toEqual(['AICF-E3 MUST']);
  const astral = rawLine('A0', { id: '\uFF61' }) + rawLine('A0', { id: '\u{1F600}' });
  expect(clausesOf(foundIn(astral))).toEqual(['AICF-E4 SHOULD']);
});

clause('AICF-E4', 'ids that are neither ULIDs nor times with a counter are found, in one line', () => {
  expect(foundIn(rawLine('A0', { id: 'a' }) + rawLine('A0', { id: 'b' }))).toMatchObject([
    { clause: 'AICF-E4', level: 'SHOULD', where: FEED },
  ]);
  for (const ids of [
    ['20250821T101500Z-0001', '20250821T101500Z-0002'],
    ['1755771300123-001', '1755771300123-002'],
    ['0198cc5a-4b7f-7abc-8def-000000000001', '0198cc5a-4b7f-7abc-8def-000000000002'],
    ['01k35t3r0000000000000000a0', '01k35t3r0000000000000000b0'],
  ]) {
    expect(foundIn(ids.map((id) => rawLine('A0', { id })).join(''))).toEqual([]);
  }
  expect(
    clausesOf(foundIn(rawLine('A0', { id: '1755771300123-99' }) + rawLine('A0', { id: '1755771300124-100' }))),
  ).toEqual(['AICF-E4 SHOULD']);
});

clause('AICF-E6', 'a url that is not percent-encoded is found', () => {
  expect(clausesOf(foundIn(rawLine('A0', { url: `${SITE}/größe` })))).toEqual(['AICF-E6 MUST', 'AICF-S2 MUST']);
});

clause('AICF-E8', 'a time with an offset is found', () => {
  expect(clausesOf(foundIn(rawLine('A0', { time: '2025-08-21T12:15:00+02:00' })))).toEqual(['AICF-E8 MUST']);
  expect(foundIn(rawLine('A0', { time: '2025-08-21T10:15:00+00:00' }))).toEqual([]);
});

clause(['AICF-E9', 'AICF-C13'], 'anchors that others can misread are found', () => {
  expect(clausesOf(foundIn(rawLine('A0', { anchor: '#tiers' })))).toEqual(['AICF-E9 SHOULD']);
  expect(clausesOf(foundIn(rawLine('A0', { anchor: '' })))).toEqual(['AICF-E9 SHOULD']);
  expect(clausesOf(foundIn(rawLine('A0', { action: 'delete', anchor: 'tiers', checksum: undefined })))).toEqual([
    'AICF-C13 SHOULD',
  ]);
});

clause(['AICF-A1', 'AICF-A2'], 'a fragment without its anchor, or beside another one, is found', () => {
  expect(clausesOf(foundIn(rawLine('A0', { url: `${SITE}/p#tiers` })))).toEqual(['AICF-A2 SHOULD']);
  expect(clausesOf(foundIn(rawLine('A0', { url: `${SITE}/p#other`, anchor: 'tiers' })))).toEqual(['AICF-A1 SHOULD']);
  expect(foundIn(rawLine('A0', { url: `${SITE}/p#tiers`, anchor: 'tiers' }))).toEqual([]);
  expect(foundIn(rawLine('A0', { url: `${SITE}/p#gr%C3%B6%C3%9Fe`, anchor: 'größe' }))).toEqual([]);
});

clause('AICF-P3', 'creates and updates without a checksum are found, in one line', () => {
  expect(foundIn(line('A0', { checksum: undefined }) + line('B0', { checksum: undefined }) + line('C0'))).toMatchObject(
    [{ clause: 'AICF-P3', seen: expect.stringContaining('2 of 3') }],
  );
  expect(foundIn(line('A0', { action: 'delete', checksum: undefined }))).toEqual([]);
});

const archive = (name: string, text: string) => answered(`${SITE}/${name}`, text);

clause(['AICF-P5', 'AICF-P6'], 'rotated files are found when one is missing, out of order, or does not overlap', () => {
  const current = feed(line('C0') + line('D0'));
  expect(
    found({ feed: current, archives: [archive('1', line('A0') + line('B0')), archive('2', line('B0') + line('C0'))] }),
  ).toEqual([]);
  expect(found({ feed: current, archives: [{ ...archive('1', ''), status: 404 }] })).toMatchObject([
    { clause: 'AICF-P6', level: 'MUST', where: `${SITE}/1` },
  ]);
  expect(clausesOf(found({ feed: current, archives: [unread('1')] }))).toEqual(['AICF-P6 MUST']);
  expect(clausesOf(found({ feed: current, archives: [archive('1', line('A0') + line('B0'))] }))).toEqual([
    'AICF-P6 SHOULD',
  ]);
  expect(clausesOf(found({ feed: current, archives: [archive('1', line('D0') + line('E0'))] }))).toEqual([
    'AICF-P5 MUST',
  ]);
  expect(clausesOf(found({ feed: current, archives: [answered(FEED, line('C0'))] }))).toEqual(['AICF-P5 MUST']);
});

clause('AICF-P6', 'archives that readers cannot use are found', () => {
  const naming = (archives: unknown) => ({
    discovery: discovery(JSON.stringify({ aicf_version: '0.1', self: FEED, archives })),
  });
  expect(found(naming([]))).toEqual([]);
  expect(found(naming(['/1.ndjson', `${SITE}/2.ndjson`]))).toMatchObject([
    { clause: 'AICF-P6', level: 'MUST', seen: '1 of 2 `archives` are no absolute URLs, the first is "/1.ndjson".' },
  ]);
  expect(clausesOf(found(naming(`${SITE}/1.ndjson`)))).toEqual(['AICF-P6 SHOULD']);
  for (const text of ['', '<!doctype html><p>Not here</p>', '{"error":"gone"}']) {
    expect(found({ archives: [archive('1', text)] })).toMatchObject([
      { clause: 'AICF-P6', level: 'MUST', seen: 'The earlier file holds no event.' },
    ]);
  }
});

clause('AICF-P3', 'a checksum on a delete is found', () => {
  expect(foundIn(rawLine('A0', { action: 'delete' }))).toMatchObject([
    { clause: 'AICF-P3', level: 'SHOULD', seen: expect.stringContaining('the first is line 1') },
  ]);
});

clause('AICF-P1', 'a line that differs between two files of one feed is found', () => {
  const archives = [archive('1', line('A0') + line('B0'))];
  expect(clausesOf(found({ feed: feed(line('B0', { note: 'mended' }) + line('C0')), archives }))).toEqual([
    'AICF-P1 MUST',
  ]);
});

clause('AICF-F2', 'a second reading that does not begin with the first is found', () => {
  const again = (text: string) => ({ feedAgain: answered(FEED, text, { etag: '"2"' }) });
  expect(found(again(LINES + line('D0')))).toEqual([]);
  expect(clausesOf(found(again(LINES.replace('tiers', 'plans'))))).toEqual(['AICF-F2 MUST']);
  expect(clausesOf(found(again(LINES.slice(0, -1))))).toEqual(['AICF-F2 MUST']);
});

clause('AICF-H1', 'a feed without validators, or a server that does not honour them, is found', () => {
  const bare = { ...feed(LINES), headers: { 'content-type': 'application/x-ndjson' } };
  expect(clausesOf(found({ feed: bare, feedAgain: bare }))).toEqual(['AICF-H1 SHOULD']);
  expect(clausesOf(found({ feedAgain: feed(LINES) }))).toEqual(['AICF-H1 SHOULD']);
  expect(found({ feedAgain: feed(LINES, { etag: '"2"' }) })).toEqual([]);
});

clause('AICF-H2', 'pages without validators are found', () => {
  const page = answered(`${SITE}/a`, '');
  expect(found({ targets: [page, ...(GOOD.targets ?? [])] })).toMatchObject([
    { clause: 'AICF-H2', where: `${SITE}/a` },
  ]);
  const gone = checkAicf({ ...GOOD, targets: [{ ...page, status: 404 }, unread('b')] });
  expect([gone.findings, gone.checked.has('AICF-H2')]).toEqual([[], false]);
});

clause('AICF-X6', 'fields of an extension that discovery does not announce are found', () => {
  const extended = feed(rawLine('A0', { chunk_id: 'x' }));
  expect(clausesOf(found({ feed: extended }))).toEqual(['AICF-X6 SHOULD']);
  const announced = discovery(JSON.stringify({ ...JSON.parse(DISCOVERY), capabilities: ['chunks'] }));
  expect(found({ feed: extended, discovery: announced })).toEqual([]);
});

test('an extension is not looked for in lines that are no events, nor without a discovery document', () => {
  expect(clausesOf(foundIn(`${LINES}{"chunk_id":\n`))).toEqual(['AICF-F4 MUST', 'AICF-S2 MUST']);
  const missing = { ...discovery(''), status: 404 };
  expect(clausesOf(found({ discovery: missing, feed: feed(rawLine('A0', { chunk_id: 'x' })) }))).toEqual([
    'AICF-D1 MUST',
  ]);
});

test('findings and reasons say which of several cases it is', () => {
  expect(found({ feed: { ...feed(LINES), headers: {} } })).toContainEqual(
    expect.objectContaining({ clause: 'AICF-F1', seen: 'It has no Content-Type.' }),
  );
  expect(foundIn(rawLine('A0', { anchor: '' }))).toMatchObject([{ seen: '`anchor` is empty and names no section.' }]);
  expect(foundIn(rawLine('A0', { anchor: '#x' }))).toMatchObject([{ seen: '`anchor` is "#x".' }]);
  expect(found({ archives: [unread('1')] })).toMatchObject([{ seen: 'The answer was cut short.' }]);
  const { skipped } = checkAicf(GOOD);
  expect(skipped.get('AICF-C1')).toBe('A rule for clients: no feed can show it.');
  expect(skipped.get('AICF-E11')).toBe('Only the publisher knows what it takes the fingerprint of.');
});

test('an empty feed has nothing to find', () => {
  const { findings, checked, skipped } = checkAicf({ ...GOOD, feed: feed('') });
  expect([findings, checked.has('AICF-E1'), skipped.get('AICF-E1')]).toEqual([[], false, 'The feed has no events.']);
});

test('of one clause 20 findings are shown and the others counted', () => {
  const findings = foundIn('x\n'.repeat(25)).filter((finding) => finding.clause === 'AICF-F4');
  expect(findings).toHaveLength(21);
  expect(findings.at(19)).toMatchObject({ where: `${FEED}:20` });
  expect(findings.at(20)).toMatchObject({ where: FEED, level: 'MUST', seen: 'and 5 more' });
});
