import { expect, test } from 'vitest';
import { readSiteLinks } from './site-links.ts';

const read = (text: string, headers: Record<string, string> = {}) =>
  readSiteLinks({
    kind: 'page',
    url: new URL('https://docs.example/guide/a'),
    status: 200,
    headers,
    mediaType: 'text/html',
    text,
    bytesHash: '',
    bytesLength: 0,
    fetchedAtMs: 0,
  });

test('links are those of <a href>, resolved against <base>', () => {
  const { links } =
    read(`<base href="/x/"><a href="b">b</a><a href=" /c ">c</a><area href="d"><link href="e"><a name="f">
    <a href="#top">g</a><a href="">h</a><a href="http://[">i</a><a href="j" rel="NoFollow noopener">j</a>`);
  expect(links).toEqual(['https://docs.example/x/b', 'https://docs.example/c']);
});

test.each([
  ['<meta name="robots" content="noindex">', {}, false, 1],
  ['<meta name="ROBOTS" content="index,nofollow">', {}, true, 0],
  ['<meta name="robots" content="none">', {}, false, 0],
  ['<meta name="robots" content="nofollow"><meta name="aiwebindex" content="noindex">', {}, false, 0],
  ['<meta name="otherbot" content="none">', {}, true, 1],
  ['', { 'x-robots-tag': 'noindex, nofollow' }, false, 0],
  ['', { 'x-robots-tag': 'otherbot: noindex, nofollow' }, true, 1],
  ['', { 'x-robots-tag': 'otherbot: none, AIWebIndex: noindex' }, false, 1],
  ['', { 'x-robots-tag': 'unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow' }, true, 0],
])('%s %j', (head, headers, mayIndex, links) => {
  const said = read(`<head>${head}</head><body><a href="b">b</a></body>`, headers);
  expect(said.mayIndex).toBe(mayIndex);
  expect(said.links).toHaveLength(links);
});

test('the canonical address is the first, wherever it leads', () => {
  const said = read('<link rel="alternate canonical" href="../b"><link rel="canonical" href="/c">');
  expect(said.canonical).toBe('https://docs.example/b');
  expect(read('<p>x').canonical).toBeUndefined();
});
