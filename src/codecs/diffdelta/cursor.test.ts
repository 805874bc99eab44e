import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { type CursorInput, cursorOf, cursorText, isCursor, withoutZero } from './cursor.ts';
import { BUCKETS, CURSOR_BASIS, SCHEMA_VERSION } from './wire.ts';

interface Vector {
  readonly name: string;
  readonly feed: CursorInput;
  readonly text: string;
  readonly cursor: string;
}

const VECTORS = fileURLToPath(new URL('../../../specs/diffdelta/vectors/', import.meta.url));
const vectors: readonly Vector[] = JSON.parse(readFileSync(join(VECTORS, 'cursor.json'), 'utf8'));

const HASH = `sha256:${'a'.repeat(64)}`;
const itemOf = (id: string, contentHash = HASH, source = 'docs') => ({
  source,
  id,
  provenance: { content_hash: contentHash },
});
const feedOf = (...ids: string[]) => ({ sources_included: ['docs'], buckets: { new: ids.map((id) => itemOf(id)) } });
/** The last character of a hash is another one. */
const altered = (text: string) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;

test.each(vectors)('vector: $name', ({ feed, text, cursor }) => {
  expect(cursorText(feed)).toBe(text);
  expect(cursorOf(feed)).toBe(cursor);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) process.stderr.write('diffdelta vectors: no python3 here, they are not recomputed\n');

test.skipIf(!hasPython)(`python sees a vector that is wrong${hasPython ? '' : ' (SKIPPED: no python3)'}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  try {
    cpSync(VECTORS, folder, { recursive: true });
    const planted = vectors.map((vector, at) => (at === 0 ? { ...vector, cursor: altered(vector.cursor) } : vector));
    writeFileSync(join(folder, 'cursor.json'), JSON.stringify(planted));
    const { status, stdout } = spawnSync('python3', ['-B', join(folder, 'check.py')], { encoding: 'utf8' });
    expect({ status, stdout }).toMatchObject({ status: 1, stdout: expect.stringContaining(`wrong: cursor: `) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

clause(['DD-K12', 'DD-C1'], 'Python computes the bytes and the hashes of all vectors alike', () => {
  if (!hasPython) return;
  const said = execFileSync('python3', ['-B', join(VECTORS, 'check.py')], { encoding: 'utf8' });
  expect(said).toMatch(/^\d+ hold, 0 do not\n$/);
  expect(Number.parseInt(said, 10)).toBeGreaterThanOrEqual(2 * vectors.length);
});

clause(['DD-K14', 'DD-K1'], 'the bytes under the name canonical_v1 are those of the published vectors', () => {
  expect(CURSOR_BASIS).toBe('canonical_v1');
  expect(SCHEMA_VERSION).toMatch(/^1\./);
  expect(vectors.length).toBeGreaterThanOrEqual(12);
  expect(cursorOf(feedOf('https://docs.example/guide'))).toBe(
    'sha256:35c651db854e6cbd4f7f06d68c52a057a7d3cd758544345fe559871d71e022af',
  );
});

clause(
  ['DD-K8', 'DD-K10', 'DD-K11'],
  'the text is one JSON array: sources, then source, id and hash of each item',
  () => {
    const feed = {
      sources_included: ['docs', 'api'],
      buckets: { new: [itemOf('b')], updated: [itemOf('é/"')], removed: [itemOf('a', 'sha256:x', 'api')] },
    };
    expect(cursorText(feed)).toBe(
      `[["api","docs"],["api","a","sha256:x"],["docs","b","${HASH}"],["docs","é/\\"","${HASH}"]]`,
    );
  },
);

clause(['DD-K9', 'DD-K4'], 'items sort by code point, neither by locale nor by UTF-16 unit', () => {
  const ids = (feed: CursorInput) => JSON.parse(cursorText(feed)).flatMap(([, id]: string[]) => id ?? []);
  expect(ids(feedOf('b', 'a', 'é', 'Z'))).toEqual(['Z', 'a', 'b', 'é']);
  expect(ids(feedOf('\u{1F600}', '\uFF61'))).toEqual(['\uFF61', '\u{1F600}']);
});

clause('DD-K5', 'an item counts in whichever bucket it is, and in none that has no name', () => {
  const empty = cursorOf(feedOf());
  for (const bucket of BUCKETS)
    expect(cursorOf({ sources_included: ['docs'], buckets: { [bucket]: [itemOf('a')] } }), bucket).not.toBe(empty);
  expect(cursorOf({ sources_included: ['docs'], buckets: JSON.parse(JSON.stringify({ moved: [itemOf('a')] })) })).toBe(
    empty,
  );
});

clause('DD-K6', 'a source without items counts, and the order of the sources does not', () => {
  const of = (...sources: string[]) => cursorOf({ ...feedOf('a'), sources_included: sources });
  expect(of('docs', 'api')).not.toBe(of('docs'));
  expect(of('docs', 'api')).toBe(of('api', 'docs'));
});

clause('DD-C3', 'a cursor is sha256: and 64 lower-case hex digits, or null', () => {
  const hex = 'ab'.repeat(32);
  for (const good of [null, `sha256:${hex}`, cursorOf(feedOf('a'))]) expect(isCursor(good)).toBe(true);
  const bad = ['', hex, `sha256:${hex.toUpperCase()}`, `SHA256:${hex}`, `sha256:${hex}0`, `sha256:${hex}\n`, 1, {}];
  for (const each of [...bad, undefined]) expect(isCursor(each), String(each)).toBe(false);
});

clause('DD-C6', 'the zero cursor is null, and no other is', () => {
  const zero = `sha256:${'0'.repeat(64)}`;
  expect(withoutZero(zero)).toBeNull();
  expect(withoutZero(null)).toBeNull();
  expect(withoutZero(altered(zero))).toBe(altered(zero));
});

clause('DD-I3', 'there is no cursor of an item without a hash', () => {
  for (const provenance of [{}, { content_hash: '' }, { content_hash: null }]) {
    const feed = { sources_included: ['docs'], buckets: { new: [{ ...itemOf('a'), provenance }] } };
    expect(() => cursorOf(feed as CursorInput)).toThrow('The item a of docs has no provenance.content_hash');
  }
});

const name = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 6 }),
  fc.constantFrom('__proto__', 'a', 'b', '\uFF61', '😀'),
);
const item = fc.record({
  source: name,
  id: name,
  provenance: fc.record({ content_hash: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 6 }) }),
});
const items = fc.array(item, { maxLength: 6 });
const feeds = fc.record({
  sources_included: fc.array(name, { maxLength: 4 }),
  buckets: fc.record({ new: items, updated: items, removed: items, flagged: items }),
});
type Feed = typeof feeds extends fc.Arbitrary<infer T> ? T : never;

/** Every item in some bucket and place, every source in some place, as the numbers say. */
function shuffled({ sources_included: sources, buckets }: Feed, seed: readonly number[]): Feed {
  const ranked = <T>(list: readonly T[], salt: number) =>
    list
      .map((value, at) => ({ value, rank: seed[(at * 7 + salt) % seed.length] ?? 0 }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ value }) => value);
  const all = ranked(Object.values(buckets).flat(), 3);
  const part = (at: number) => all.filter((_, index) => index % BUCKETS.length === at);
  return {
    sources_included: ranked(sources, 1),
    buckets: { new: part(0), updated: part(1), removed: part(2), flagged: part(3) },
  };
}

clause(['DD-K4', 'DD-K6'], 'no order of items, buckets and sources changes the cursor', () => {
  let moved = 0;
  fc.assert(
    fc.property(feeds, fc.array(fc.nat(1000), { minLength: 5, maxLength: 11 }), (feed, seed) => {
      const other = shuffled(feed, seed);
      if (JSON.stringify(other) !== JSON.stringify(feed)) moved += 1;
      expect(cursorOf(other)).toBe(cursorOf(feed));
    }),
  );
  expect(moved).toBeGreaterThan(30);
});

const EXCLUDED = [
  'generated_at',
  'hash',
  'prev_hash',
  'cursor',
  'prev_cursor',
  'cursor_basis',
  'batch_narrative',
  'counts',
  'sources',
  'ttl_sec',
  'integrity_reset',
  'integrity_risk',
  '_discovery',
  'archive_url',
  'prev_archive_url',
];

clause(['DD-K7', 'DD-G2'], 'none of the 15 excluded fields has a say, nor any field to come', () => {
  expect(EXCLUDED).toHaveLength(15);
  fc.assert(
    fc.property(feeds, fc.constantFrom(...EXCLUDED, 'x_new'), fc.jsonValue(), (feed, field, value) => {
      expect(cursorOf({ ...feed, [field]: value })).toBe(cursorOf(feed));
    }),
  );
});

clause(['DD-K3', 'DD-K2'], 'of an item only source, id and hash have a say', () => {
  const fields = ['url', 'headline', 'content', 'risk', 'published_at', 'updated_at', 'x_new'];
  fc.assert(
    fc.property(item, fc.constantFrom(...fields), fc.jsonValue(), (one, field, value) => {
      const of = (each: typeof one) => cursorOf({ sources_included: [], buckets: { new: [each] } });
      expect(of({ ...one, [field]: value })).toBe(of(one));
      expect(of({ ...one, provenance: { ...one.provenance, ...{ fetched_at: value } } })).toBe(of(one));
    }),
  );
});

clause(['DD-C2', 'DD-K8'], 'any other source, id or hash of an item is another cursor', () => {
  fc.assert(
    fc.property(feeds, item, fc.constantFrom('source', 'id', 'hash'), name, (feed, one, field, value) => {
      const other = {
        source: field === 'source' ? `${one.source}${value}x` : one.source,
        id: field === 'id' ? `${one.id}${value}x` : one.id,
        provenance: { content_hash: `${one.provenance.content_hash}${field === 'hash' ? `${value}x` : ''}` },
      };
      const having = (each: typeof one) => ({
        ...feed,
        buckets: { ...feed.buckets, new: [...feed.buckets.new, each] },
      });
      expect(cursorOf(having(other))).not.toBe(cursorOf(having(one)));
    }),
  );
});
