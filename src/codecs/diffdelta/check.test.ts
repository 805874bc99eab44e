import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import type { AnsweredDocument } from '../primitives/seen-document.ts';
import { openDiffDeltaCheck } from './check.ts';
import { DIFFDELTA_CLAUSES } from './clauses.ts';
import { encodeDiffDeltaFeed, encodeHead } from './encode.ts';
import type { DiffDeltaFeed } from './wire.ts';

const CURSOR = `sha256:${'a'.repeat(64)}`;
const FEED: DiffDeltaFeed = {
  schema_version: '1.1.0',
  generated_at: '2026-02-05T12:00:00.000Z',
  source_id: 'docs',
  prev_hash: null,
  cursor: CURSOR,
  prev_cursor: null,
  cursor_basis: 'canonical_v1',
  changed: true,
  ttl_sec: 300,
  sources_included: ['docs'],
  batch_narrative: 'A run.',
  counts: { new: 1, updated: 0, removed: 0, flagged: 0 },
  archive_url: '/archive/docs/2026/02/05/20260205T120000Z_aaaaaaaaaaaa.json',
  buckets: {
    new: [
      {
        source: 'docs',
        id: 'a',
        url: 'https://docs.example/a',
        published_at: '2026-02-05T12:00:00.000Z',
        updated_at: '2026-02-05T12:00:00.000Z',
        headline: 'A',
        content: {},
        provenance: { content_hash: CURSOR, fetched_at: '2026-02-05T12:00:00.000Z', evidence_urls: [] },
        risk: { score: 0.1, reasons: ['x'] },
      },
    ],
    updated: [],
    removed: [],
    flagged: [],
  },
  sources: {
    docs: {
      status: 'error',
      changed: false,
      cursor: CURSOR,
      prev_cursor: CURSOR,
      ttl_sec: 300,
      head_url: '/diff/docs/head.json',
      latest_url: '/diff/docs/latest.json',
      error: { code: 'x' },
    },
  },
};
const { cursor, prev_cursor, changed, generated_at, ttl_sec } = FEED;
const HEAD = encodeHead({ cursor, prev_cursor, changed, generated_at, ttl_sec, latest_url: '/diff/docs/latest.json' });
const MANIFEST = JSON.stringify({
  endpoints: { diff_latest: '/diff/latest.json', diff_by_source_template: '/diff/{source}/latest.json' },
  polling: { recommended_ttl_sec: 300 },
  capabilities: { etag_supported: true, cursor_supported: true },
  sources_supported: ['docs'],
});

const answer = (name: string, text: string): AnsweredDocument => ({
  kind: 'answered',
  where: `https://feeds.example/${name}`,
  status: 200,
  headers: { etag: '"x"' },
  bytes: new TextEncoder().encode(text),
});

function checkAll(manifest: string, head: string, feed: string) {
  const check = openDiffDeltaCheck({ isLive: true, hasKey: false });
  const [seenHead, latest] = [answer('head.json', head), answer('latest.json', feed)];
  const seen = {
    head: seenHead,
    headAgain: seenHead,
    latest,
    latestAgain: latest,
    archive: latest,
    archiveAgain: latest,
  };
  const rest = { archivePath: '/archive/docs/2026/02/05/20260205T120000Z_aaaaaaaaaaaa.json', chain: [], strangers: {} };
  check.discovery({ document: answer('diffdelta.json', manifest) });
  check.global({ id: undefined, ...seen, ...rest }, ['docs']);
  check.source({ id: 'docs', ...seen, ...rest });
  check.schema(latest);
  return check.close();
}

/** The paths of all values of a document. */
function placesIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  return [[...path], ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...path, key]))];
}

function replaced(text: string, path: readonly string[], value: unknown): string {
  const [key, ...rest] = path;
  const whole: unknown = JSON.parse(text);
  if (key === undefined || typeof whole !== 'object' || whole === null) return JSON.stringify(value);
  const member: unknown = Reflect.get(whole, key);
  Reflect.set(whole, key, rest.length === 0 ? value : JSON.parse(replaced(JSON.stringify(member), rest, value)));
  return JSON.stringify(whole);
}

const FEED_TEXT = encodeDiffDeltaFeed(FEED).text;
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    Number.MAX_VALUE,
    -0,
    '\ud800',
    '__proto__',
    '',
    'http://[',
    [],
    {},
    [null],
    'sha256:',
    '9'.repeat(400),
  ),
);

test('whatever a document holds anywhere, each clause gets its verdict', () => {
  const ids = new Set(DIFFDELTA_CLAUSES.map(({ id }) => id));
  const document = fc.constantFrom(MANIFEST, HEAD, FEED_TEXT);
  const edit = document.chain((text) =>
    fc.tuple(fc.constant(text), fc.constantFrom(...placesIn(JSON.parse(text))), odd),
  );
  fc.assert(
    fc.property(edit, ([text, path, value]) => {
      const broken = replaced(text, path, value);
      const of = (whole: string) => (whole === text ? broken : whole);
      const { findings, checked, skipped } = checkAll(of(MANIFEST), of(HEAD), of(FEED_TEXT));
      expect(findings.every(({ clause, seen, remedy }) => ids.has(clause) && seen !== '' && remedy !== '')).toBe(true);
      expect([...ids].filter((id) => !checked.has(id) && !skipped.has(id))).toEqual([]);
    }),
    { numRuns: shortOrLong(100, 400) },
  );
});

test('whatever text is served, it is a finding', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.json()), (text) => {
      const found = new Set(checkAll(text, text, text).findings.map(({ clause }) => clause));
      expect(found).toContain('DD-H1');
      expect(found).toContain('DD-I1');
    }),
    { numRuns: shortOrLong(50, 200) },
  );
});
