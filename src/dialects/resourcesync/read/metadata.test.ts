import { expect, test } from 'vitest';
import { expectLinear } from '../../../../test/support/count-steps.ts';
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
])('a megabyte of %s is read in linear steps', async (_, before, piece, after) => {
  const made = (count: number) => before + piece.repeat(count) + after;
  metadataIn(made(2 ** 20 / piece.length));
  await expectLinear<typeof import('./metadata.ts'), string>(
    new URL('./metadata.ts', import.meta.url),
    ({ metadataIn }, text) => metadataIn(text),
    made,
    1000,
  );
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
