import { expect, test } from 'vitest';
import { encodeDiffDeltaFeed } from '../../codecs/diffdelta/encode.ts';
import type { DiffDeltaFeed } from '../../codecs/diffdelta/wire.ts';
import { withHash, withoutHash } from './feed-hash.ts';

const buckets = { new: [], updated: [], removed: [], flagged: [] };
const { text } = encodeDiffDeltaFeed({ sources_included: [], buckets, sources: {} } as unknown as DiffDeltaFeed);

test('the hash of a feed follows from the rest of it', () => {
  expect(withoutHash(text).length).toBe(text.length - 56);
  expect(withHash(withoutHash(text))).toBe(text);
});

test.each(['{}', '', text.replace(/"sha256:./, '"sha256:z'), text.replace('"sources"', '"other"')])(
  'a text whose hash is another one, or none, stays as it is: %#',
  (other) => {
    expect(withHash(withoutHash(other))).toBe(other);
  },
);

test('a feed whose rest was damaged is refused', () => {
  expect(() => withHash(withoutHash(text).replace('"sources"', '"other"'))).toThrow('not what was archived');
});
