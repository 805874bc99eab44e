import { expect, test } from 'vitest';
import { metadataIn } from './metadata.ts';

test.each([
  ['CDATA that does not end', '<x>', '<![CDATA[', ''],
  ['CDATA that ends late', '<x>', '<![CDATA[', ']]>'],
  ['depth', '', '<x>', ''],
  ['authors', '', '<author>', ''],
  ['many authors', '', '<author>a</author>', ''],
  ['blanks', ' ', ' ', 'x'],
  ['names', '', '<a:name:', ''],
  ['nested JSON', '', '[', ''],
  ['a title of blanks', '<title>', '\n', '</title>'],
])('a megabyte of %s is read in no time', (_, before, piece, after) => {
  const text = before + piece.repeat(2 ** 20 / piece.length) + after;
  const beganMs = performance.now();
  metadataIn(text);
  expect(performance.now() - beganMs).toBeLessThan(500);
});

test('what joins letters stays, what turns a text or steers a terminal goes', () => {
  expect(
    metadataIn('{"name":"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645","author":"A\u202enn\u009b31m"}'),
  ).toEqual({
    title: '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    author: 'Ann 31m',
  });
  expect(metadataIn('<m><title><![CDATA[a <b> & ]]>c<![CDATA[d]]></title>').title).toBe('a <b> & cd');
});
