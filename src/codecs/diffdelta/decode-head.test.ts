import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { decodeHead } from './decode-head.ts';

const CURSOR = `sha256:${'ab'.repeat(32)}`;
const ZERO = `sha256:${'0'.repeat(64)}`;
const HEAD = {
  cursor: CURSOR,
  prev_cursor: null,
  changed: true,
  generated_at: '2026-02-05T12:00:00Z',
  ttl_sec: 300,
  latest_url: '/diff/docs/latest.json',
};
const decode = (value: unknown) => decodeHead(JSON.stringify(value));

clause(['DD-V2', 'DD-V1'], 'a head is read without the fields that are not known', () => {
  const value = { ...HEAD, issues: [] };
  expect(decode(HEAD)).toEqual({ ok: true, value });
  expect(decode({ ...HEAD, counts: { items: 3 }, _protocol: {}, issues: ['x'] })).toEqual({ ok: true, value });
});

clause('DD-C6', 'the zero cursor is read as null', () => {
  expect(decode({ ...HEAD, cursor: ZERO, prev_cursor: ZERO })).toMatchObject({
    ok: true,
    value: { cursor: null, prev_cursor: null },
  });
});

clause(['DD-B1', 'DD-C3'], 'a head by which no one can decide is refused', () => {
  const refused = [
    [{ changed: 'true' }, 'DD-B1'],
    [{ changed: undefined }, 'DD-B1'],
    [{ cursor: '' }, 'DD-C3'],
    [{ cursor: undefined }, 'DD-C3'],
    [{ prev_cursor: 7 }, 'DD-C3'],
    [{ latest_url: undefined }, 'DD-H1'],
    [{ latest_url: '' }, 'DD-H1'],
    [{ latest_url: 7 }, 'DD-H1'],
  ] as const;
  for (const [fields, clauseId] of refused)
    expect(decode({ ...HEAD, ...fields })).toMatchObject({ ok: false, issues: [{ clause: clauseId }] });
});

test('what a client can do without is named and left out', () => {
  expect(decode({ cursor: 'v42', changed: false, latest_url: 'latest.json', ttl_sec: 0 })).toEqual({
    ok: true,
    value: {
      cursor: 'v42',
      prev_cursor: null,
      changed: false,
      latest_url: 'latest.json',
      issues: [
        { clause: 'DD-H1', message: 'The head has no prev_cursor.' },
        { clause: 'DD-H1', message: 'generated_at is missing, not a time.' },
        { clause: 'DD-H1', message: 'ttl_sec is 0, not a number of seconds.' },
      ],
    },
  });
});

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.json()), (text) => 'ok' in decodeHead(text)));
});

const CORPUS = new URL('../../../../shared/corpora/diffdelta/', import.meta.url);
const corpusIsHere = existsSync(CORPUS);
if (!corpusIsHere) process.stderr.write('diffdelta: ../shared/corpora/diffdelta is not here, real heads are skipped\n');

test.skipIf(!corpusIsHere)(
  `real heads are read without complaint${corpusIsHere ? '' : ' (SKIPPED: no ../shared/corpora/diffdelta)'}`,
  () => {
    const names = readdirSync(CORPUS).filter((name) => name.endsWith('-head.json'));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names)
      expect(decodeHead(readFileSync(new URL(name, CORPUS), 'utf8')), name).toMatchObject({
        ok: true,
        value: { cursor: expect.stringMatching(/^sha256:/), issues: [] },
      });
  },
);
