import { expect, test } from 'vitest';
import { decodeLinkHeader } from './link-header.ts';

const BASE = 'https://a.example/blog/feed';

test.each([
  ['one link', '<https://hub.example/>; rel="hub"', [['https://hub.example/', 'hub']]],
  [
    'two, joined',
    '<https://h.example/>; rel=hub, </f>; rel=self',
    [
      ['https://h.example/', 'hub'],
      ['https://a.example/f', 'self'],
    ],
  ],
  ['several relations in any case', '<x>; REL="Hub  SELF"', [['https://a.example/blog/x', 'hub', 'self']]],
  [
    'a comma in the target',
    '<https://h.example/?a=1,2>; rel=hub, <s>; rel=self',
    [
      ['https://h.example/?a=1,2', 'hub'],
      ['https://a.example/blog/s', 'self'],
    ],
  ],
  ['a comma in a text', '<h>; title="a, <b>; rel=self"; rel=hub', [['https://a.example/blog/h', 'hub']]],
  ['a quote within a text', '<h>; title="a\\", \\"b"; rel=hub', [['https://a.example/blog/h', 'hub']]],
  ['the first rel alone', '<h>; rel=self; rel=hub', [['https://a.example/blog/h', 'self']]],
  ['no semicolon before rel', '<https://h.example/> rel="hub"', [['https://h.example/', 'hub']]],
  [
    'blanks everywhere',
    ' ,, <h> ; rel = hub ,, <s>;rel=self,',
    [
      ['https://a.example/blog/h', 'hub'],
      ['https://a.example/blog/s', 'self'],
    ],
  ],
  ['a parameter without a value', '<h>; crossorigin; rel=hub', [['https://a.example/blog/h', 'hub']]],
  ['no target', 'rel=hub, <s>; rel=self', [['https://a.example/blog/s', 'self']]],
  ['a target that is not closed', '<h; rel=hub', []],
  ['a target that is no URL', '<http://[>; rel=hub, <s>; rel=self', [['https://a.example/blog/s', 'self']]],
  ['a text that is not closed', '<h>; title="a; rel=hub, <s>; rel=self', []],
  ['rubbish between', '<h>; rel=hub @ x, <s>; rel=self', [['https://a.example/blog/s', 'self']]],
  ['nothing', '', []],
])('%s', (_, header, links) => {
  expect(decodeLinkHeader(header, BASE).map(({ target, rels }) => [target, ...rels])).toEqual(links);
});

test('a link about something else says so', () => {
  expect(decodeLinkHeader('<h>; rel=hub; anchor="/other"', BASE)).toEqual([
    { target: 'https://a.example/blog/h', rels: ['hub'], anchor: 'https://a.example/other' },
  ]);
});

test('what is too long is not read, and what is hostile costs little', () => {
  expect(decodeLinkHeader(`<h>; rel=hub${' '.repeat(20_000)}`, BASE)).toEqual([]);
  expect(decodeLinkHeader('<a>;rel=hub,'.repeat(1000), BASE)).toHaveLength(100);
  for (const sign of ['<', '"', '\\', ',', ';', '=', '<"', '"<', '<a>;a="\\']) {
    expect(() => decodeLinkHeader(sign.repeat(16_000 / sign.length), BASE)).not.toThrow();
  }
});
