import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { startFeedServer } from '../../test/support/feed-server.ts';
import { AIWEBINDEX_CLAUSES } from '../codecs/aidocument/clauses.ts';
import { readPageDocument } from '../extract/document/read-page.ts';
import { type CheckReport, check, checkReport } from './check.ts';

const VECTORS = fileURLToPath(new URL('../../specs/aiwebindex/vectors/', import.meta.url));
const SPEC = { spec: 'aiwebindex' } as const;
const EXAMPLE = JSON.parse(await readFile(join(VECTORS, 'valid/AWI-DOC1-spec-example.json'), 'utf8'));

async function makeFolder(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-check-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

const statusOf = (report: CheckReport, id: string) => report.clauses.find((verdict) => verdict.id === id)?.status;

clause(
  'AWI-DOC1',
  'a file with the example of the specification has no findings; every clause is in the report',
  async () => {
    const file = join(VECTORS, 'valid/AWI-DOC1-spec-example.json');
    const report = await checkReport(file, SPEC);
    expect(report).toMatchObject({ target: file, spec: 'aiwebindex', findings: [] });
    expect(report.clauses.map(({ id }) => id)).toEqual(AIWEBINDEX_CLAUSES.map(({ id }) => id));
    expect(
      report.clauses.filter(({ status, reason }) => (status === 'not-checkable') !== (reason !== undefined)),
    ).toEqual([]);
    for (const id of ['AWI-DOC1', 'AWI-SCH3', 'AWI-CA5', 'AWI-ST3', 'AWI-ST6', 'AWI-SG4', 'AWI-MG2'])
      expect([id, statusOf(report, id)]).toEqual([id, 'pass']);
    for (const id of ['AWI-CO1', 'AWI-UA1', 'AWI-CA4', 'AWI-EC1', 'AWI-ST7', 'AWI-V4', 'AWI-R1', 'AWI-SE1', 'AWI-PR1'])
      expect([id, statusOf(report, id)]).toEqual([id, 'not-checkable']);
  },
);

test('what readPage makes passes', async () => {
  const html =
    '<html lang="en"><head><title>A</title></head><main><h1>A</h1><p>Some <a href="/b">words</a>.</p></main>';
  const folder = await makeFolder({ 'a.json': readPageDocument(html, 'https://docs.example/a') });
  const report = await checkReport(folder, SPEC);
  expect(report.findings).toEqual([]);
  expect(statusOf(report, 'AWI-EC4')).toBe('pass');
});

test('each vector that is invalid fails its clause, each valid one fails none at MUST level', async () => {
  for (const folder of ['invalid', 'contradictory']) {
    const { documents } = JSON.parse(await readFile(join(VECTORS, folder, 'index.json'), 'utf8'));
    for (const { file, clause: id } of documents) {
      const report = await checkReport(join(VECTORS, folder, file), SPEC);
      expect([file, statusOf(report, id)]).toEqual([file, 'fail']);
      expect(report.findings[0]?.where, file).toContain(`${file}: `);
    }
  }
  const valid = await checkReport(join(VECTORS, 'valid'), SPEC);
  expect(valid.findings.filter(({ level }) => level === 'MUST')).toEqual([]);
  expect(valid.clauses.filter(({ status }) => status === 'pass').length).toBeGreaterThan(40);
});

test('in a folder other JSON is passed over, and what is broken is told', async () => {
  const { signals: _, ...incomplete } = EXAMPLE;
  const folder = await makeFolder({
    'good.json': EXAMPLE,
    'package.json': { name: 'x', schema: 'y' },
    'list.json': [1],
    'deep/down/incomplete.JSON': incomplete,
    'deep/cut.json': JSON.stringify(EXAMPLE).slice(0, 200),
    'page.html': '<p>',
  });
  expect(await check(folder, SPEC)).toMatchObject([
    { clause: 'AWI-DOC1', where: `${join(folder, 'deep/cut.json')}: document` },
    { clause: 'AWI-DOC1', where: `${join(folder, 'deep/down/incomplete.JSON')}: signals` },
  ]);
});

clause('AWI-SCH6', 'two documents that say the same must have the same ref', async () => {
  const other = { ...EXAMPLE, schema: { ...EXAMPLE.schema, ref: 'aidoc:sha256:00000000000000000000000000000000' } };
  const later = { ...EXAMPLE, source: { ...EXAMPLE.source, fetched_at: '2027-01-01T00:00:00Z' } };
  const edited = { ...other, content: { markdown: 'other' } };
  expect(await check(await makeFolder({ '1.json': EXAMPLE, '2.json': later, '3.json': edited }), SPEC)).toEqual([]);
  const folder = await makeFolder({ '1.json': EXAMPLE, '2.json': other });
  expect(await check(folder, SPEC)).toMatchObject([
    { clause: 'AWI-SCH6', where: `${join(folder, '2.json')}: schema.ref`, seen: expect.stringContaining('1.json') },
  ]);
});

test('a flood of one fault does not bury the others', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`${at}.json`, { ...EXAMPLE, identity: { title: null } }]),
  );
  const found = await check(await makeFolder({ ...files, 'x.json': { ...EXAMPLE, content: {} } }), SPEC);
  expect(found.map((finding) => finding.clause)).toEqual([...Array(21).fill('AWI-DOC5'), 'AWI-CT1']);
  expect(found[20]?.seen).toBe('and 10 more');
});

test('a URL that serves a document is checked, and asked for under our name', async () => {
  await using server = await startFeedServer();
  const url = `${server.origin}doc`;
  server.put('/doc', { body: JSON.stringify(EXAMPLE), headers: { 'content-type': 'application/json' } });
  const report = await checkReport(url, { ...SPEC, allowPrivate: true });
  expect(report).toMatchObject({ target: url, spec: 'aiwebindex', findings: [] });
  expect(server.requests.at(-1)?.headers['user-agent']).toMatch(/^AIWebIndex\/2\.0 /);
  server.put('/doc', { body: '<!doctype html><p>', headers: { 'content-type': 'text/html' } });
  expect(await check(url, { ...SPEC, allowPrivate: true })).toMatchObject([
    { clause: 'AWI-DOC1', where: `${url}: document` },
  ]);
});

test('where there is nothing to check, it is said why', async () => {
  await using server = await startFeedServer();
  const url = `${server.origin}doc`;
  await expect(check(url, SPEC)).rejects.toMatchObject({ message: expect.stringContaining('--allow-private') });
  await expect(check(url, { ...SPEC, allowPrivate: true })).rejects.toMatchObject({
    name: 'UnreadableTargetError',
    recovery: 'fix-input',
    message: expect.stringContaining('404'),
  });
  server.put('/doc', JSON.stringify(EXAMPLE));
  server.fail('/doc', { kind: 'status', status: 503 });
  await expect(check(url, { ...SPEC, allowPrivate: true })).rejects.toMatchObject({ recovery: 'retry-later' });
  expect(server.faultsFired).toBe(1);

  const empty = await makeFolder({ 'package.json': { name: 'x' } });
  await expect(check(empty, SPEC)).rejects.toMatchObject({ name: 'UnreadableTargetError', recovery: 'fix-input' });
  await expect(check(join(empty, 'nowhere'), SPEC)).rejects.toMatchObject({
    message: expect.stringContaining('ENOENT'),
  });
});
