import { expect, test } from 'vitest';
import { changeOf } from '../../test/support/change-of.ts';
import { encodeEvent } from '../codecs/aicf/encode.ts';
import { itemsOfRun } from '../dialects/diffdelta/runs/run-items.ts';
import { decodePageRecord, encodePageRecord } from '../log/pages-file.ts';
import { comparePage, readPage } from './compare-page.ts';

const URL_OF_PAGE = 'https://docs.example/limits';
const LONG = 'word '.repeat(70);

function html(limit: string, heading = 'Rate limits'): string {
  return `<main><h1>Limits</h1><p>All of them.</p><h2 id="rate">${heading}</h2>${limit}<h2>Empty</h2><h2>Long</h2><p>${LONG}</p><h2>Rest</h2><p>x</p></main>`;
}

const recorded = (text: string) => encodePageRecord({ file: text }, readPage(text, URL_OF_PAGE, undefined));
const changesFrom = (before: string, after: string) => {
  const known = recorded(before);
  return comparePage(known, { page: readPage(after, URL_OF_PAGE, known), html: after, file: after });
};

test('of a short section its whole text is remembered, of a long one none', () => {
  const { sections } = decodePageRecord(recorded(html('<p><b>60</b> requests &amp; a minute.</p><ul><li>one</ul>')));
  expect(sections.map(({ text }) => text)).toEqual(['All of them.', '60 requests & a minute. one', '', undefined, 'x']);
});

test.each([
  ['60 requests.', '100 requests.', '60 requests.'],
  ['', '100 requests.', ''],
  ['60 requests.', '', undefined],
  [LONG, '100 requests.', undefined],
  ['60 requests.', LONG, undefined],
  ['60 requests.', '<b>60</b> requests.', undefined],
])('from %.20j to %.20j', (was, is, before) => {
  const changes = changesFrom(html(`<p>${was}</p>`), html(`<p>${is}</p>`));
  for (const change of changes) expect(change).toMatchObject({ anchor: 'rate', note: 'text-edit' });
  expect(changes[0]?.before).toBe(before);
});

test('no feed for machines says what was before', () => {
  const change = changeOf({ url: URL_OF_PAGE, anchor: 'rate', excerpt: 'now' });
  const withBefore = { ...change, heading: 'Rate', before: 'was' };
  expect(encodeEvent(withBefore)).toBe(encodeEvent(change));
  expect(itemsOfRun([withBefore], () => undefined)).toEqual(itemsOfRun([change], () => undefined));
});
