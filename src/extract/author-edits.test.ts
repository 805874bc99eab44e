import { expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';
import { parseHtml } from './parse-html.ts';
import { readSections } from './read-sections.ts';

const URL_OF_PAGE = 'https://docs.example/guide';
const checksumOf = (section: string) =>
  extractPage(`<main><h2 id="a">A</h2>${section}</main>`, URL_OF_PAGE).sections[0]?.checksum;

test.each([
  ['struck out', '<p>It is fast.</p>', '<p>It is <del>fast</del>.</p>'],
  ['struck out in another way', '<p>It is fast.</p>', '<p>It is <s>fast</s>.</p>'],
  ['numbered from another start', '<ol><li>a</ol>', '<ol start="4"><li>a</ol>'],
  ['numbered anew', '<ol><li>a<li>b</ol>', '<ol><li>a<li value="9">b</ol>'],
  [
    'shown from another minute',
    '<a href="https://v.example/w?t=90">v</a>',
    '<a href="https://v.example/w?t=2m5s">v</a>',
  ],
])('what an author has %s is a change', (_, before, after) => {
  expect(checksumOf(after)).not.toBe(checksumOf(before));
});

test.each([
  ['bold by another name', '<p><b>a</b> <i>b</i></p>', '<p><strong>a</strong> <em>b</em></p>'],
  ['emphasis', '<p>a b</p>', '<p>a <em>b</em></p>'],
  ['a start that is usual', '<ol><li>a</ol>', '<ol start="1"><li value="1">a</ol>'],
  ['a time against caches', '<a href="/x?t=1893456000">v</a>', '<a href="/x?t=1893459999">v</a>'],
  ['where an image is kept', '<img src="/a.png" alt="A">', '<img src="https://cdn.example/a.png?w=800" alt="A">'],
  [
    'line numbers',
    '<pre>a();\nb();</pre>',
    '<table><tr><td><pre>1\n2</pre></td><td><pre>a();\nb();</pre></td></tr></table>',
  ],
  ['line numbers in the lines', '<pre>a();\nb();</pre>', '<pre><i>1</i>a();\n<i>2</i>b();</pre>'],
  ['a class', '<div class="note"><p>Note</p><p>a</p></div>', '<div class="x"><p>Note</p><p>a</p></div>'],
])('%s is none', (_, before, after) => {
  expect(checksumOf(after)).toBe(checksumOf(before));
});

test('a task that is done is a change, and shown', () => {
  const read = (box: string) =>
    readSections(
      parseHtml(`<ul><li><label><input type="checkbox" ${box}> Ship it</label></li><li>[ ] no box</li></ul>`),
      {
        url: URL_OF_PAGE,
        base: URL_OF_PAGE,
        measures: new Map(),
      },
    )[0];
  expect(read('')?.markdown).toBe('- [ ] Ship it\n- \\[ ] no box');
  expect(read('checked')?.markdown).toBe('- [x] Ship it\n- \\[ ] no box');
  expect(read('checked')?.comparable).not.toBe(read('')?.comparable);
});

test('a box that is ticked is an edit of its section, as the page itself shows it', () => {
  const page = (ticked: string) =>
    extractPage(
      `<main><h1>Plan</h1><p>What is done.</p><ul><li><input type="checkbox" ${ticked} disabled> Write it</li></ul></main>`,
      'https://docs.example/plan',
    );
  expect(page('checked').markdown).toContain('[x] Write it');
  expect(page('').markdown).toContain('[ ] Write it');
  expect(page('checked').checksum).not.toBe(page('').checksum);
});
