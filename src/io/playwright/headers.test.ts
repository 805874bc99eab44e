import { expect, test } from 'vitest';
import { mayBeRead, pageHeaders, passedHeaders } from './headers.ts';

const PAGE = new URL('https://page.example/');
const OTHER = new URL('https://other.example/x');

test('cookies, reports, hints and lengths stay behind, and who gave no permission gives none', () => {
  const passed = passedHeaders({
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': '9',
    'set-cookie': 'a=1',
    'x-total-count': '7',
    link: '</a.js>; rel=preload',
    nel: '{}',
    refresh: '0; url=/b',
    'report-to': '{}',
    'strict-transport-security': 'max-age=1',
  });
  expect(passed).toEqual({
    'access-control-allow-origin': 'nobody',
    'content-type': 'application/json',
    'x-total-count': '7',
  });
  expect(passedHeaders({ 'access-control-allow-origin': '*' })).toEqual({ 'access-control-allow-origin': '*' });
});

test('a page is sent to the browser in the charset that it was decoded to', () => {
  expect(pageHeaders({ 'content-type': 'text/html; charset=koi8-r' })['content-type']).toBe('text/html; charset=utf-8');
  expect(pageHeaders({})['content-type']).toBe('text/html; charset=utf-8');
  const xhtml = pageHeaders({ 'content-type': 'application/xhtml+xml' });
  expect(xhtml['content-type']).toBe('application/xhtml+xml; charset=utf-8');
});

test.each([
  ['an own answer', 'fetch', PAGE, PAGE, {}, true],
  ['a foreign answer, which the browser judges', 'fetch', OTHER, OTHER, {}, true],
  ['an own URL that led elsewhere', 'fetch', PAGE, OTHER, {}, false],
  ['the same for a frame, whatever it permits', 'document', PAGE, OTHER, { 'access-control-allow-origin': '*' }, false],
  ['the same with permission', 'xhr', PAGE, OTHER, { 'access-control-allow-origin': 'https://page.example' }, true],
  [
    'the same with permission for others',
    'xhr',
    PAGE,
    OTHER,
    { 'access-control-allow-origin': 'https://a.example' },
    false,
  ],
  [
    'an own script that led elsewhere',
    'script',
    PAGE,
    OTHER,
    { 'content-type': 'text/javascript; charset=utf-8' },
    true,
  ],
  ['what is no script', 'script', PAGE, OTHER, { 'content-type': 'application/json' }, false],
  ['an own style that led elsewhere', 'stylesheet', PAGE, OTHER, { 'content-type': 'text/css' }, true],
  ['what is no style', 'stylesheet', PAGE, OTHER, {}, false],
])('%s', (_, kind, askedUrl, url, headers, expected) => {
  expect(mayBeRead({ pageUrl: PAGE, askedUrl, kind, response: { url, headers } })).toBe(expected);
});
