import { expect, test } from 'vitest';
import { pageTexts } from './page-texts.ts';

const SECRET = 'nobody sees this sentence';

test.each([
  ['display: none', `<p style="display: none">${SECRET}</p>`],
  ['visibility', `<p style="visibility:hidden">${SECRET}</p>`],
  ['opacity', `<p style="color:red;opacity:0">${SECRET}</p>`],
  ['font size', `<p style="font-size:0">${SECRET}</p>`],
  ['off screen', `<p style="position:absolute;left:-9999px">${SECRET}</p>`],
  ['indent', `<p style="text-indent:-9999px">${SECRET}</p>`],
  ['clip', `<p style="clip:rect(0 0 0 0)">${SECRET}</p>`],
  ['clip-path', `<p style="clip-path:inset(100%)">${SECRET}</p>`],
  ['no height', `<p style="height:0;overflow:hidden">${SECRET}</p>`],
  ['white on white', `<p style="color:#fff">${SECRET}</p>`],
  ['one colour', `<div style="background:#123456"><p style="color:rgb(18, 52, 86)">${SECRET}</p></div>`],
  ['transparent', `<p style="color:transparent">${SECRET}</p>`],
  ['font', `<font color="white">${SECRET}</font>`],
  ['hidden', `<p hidden>${SECRET}</p>`],
  ['aria-hidden', `<p aria-hidden="true">${SECRET}</p>`],
  ['a class', `<style>.a, .b { display:none }</style><p class="x b">${SECRET}</p>`],
  ['an id', `<style>#n{opacity:0}</style><p id="n">${SECRET}</p>`],
  ['hidden beside one that is not', `<p></p><p hidden>${SECRET}</p>`],
  ['below', `<div hidden><ul><li>${SECRET}</ul></div>`],
  ['comment', `<!-- ${SECRET} -->`],
  ['template', `<template><p>${SECRET}</p></template>`],
  ['noscript', `<noscript>${SECRET}</noscript>`],
])('concealed: %s', (_, inner) => {
  const { text, concealed } = pageTexts(`<body><p>Seen before.</p>${inner}<p>Seen after.</p></body>`);
  expect(concealed).toContain(SECRET);
  expect(text).toMatch(/^Seen before\.\s+Seen after\.$/);
});

test.each([
  ['a tab panel', `<div role="tabpanel" hidden>${SECRET}</div>`],
  ['details', `<details><summary>More</summary>${SECRET}</details>`],
  ['white on blue', `<p style="background:#036;color:#fff">${SECRET}</p>`],
  ['a paragraph after a hidden one', `<p hidden>x<p>${SECRET}`],
  ['for print alone', `<style>@media print{.n{display:none}}</style><p class="n">${SECRET}</p>`],
])('shown: %s', (_, inner) => {
  expect(pageTexts(`<body>${inner}</body>`).text).toContain(SECRET);
});

test.each([
  ['description', `<meta name="description" content="${SECRET}">`],
  ['alternative text', `<img alt="${SECRET}">`],
  ['title', `<a title="${SECRET}">x</a>`],
  ['label', `<button aria-label="${SECRET}">x</button>`],
  ['JSON-LD', `<script type="application/ld+json">{"a":["${SECRET}"]</script>`],
  ['data', `<p data-x="${SECRET}">x</p>`],
  ['generated', `<style>p::after{content:"${SECRET}"}</style>`],
])('metadata: %s', (_, inner) => {
  const { text, metadata } = pageTexts(`<body>${inner}</body>`);
  expect(metadata).toContain(SECRET);
  expect(text).not.toContain(SECRET);
});

test('code, quotations and split words read as they are', () => {
  const { text } = pageTexts(
    '<p>Ig<b>nore</b> <code>a</code> <q>b</q></p><blockquote><p>c</p></blockquote><pre>d</pre>',
  );
  expect(text).toBe('Ignore `a` “b”\n\n> c\n\n```\nd\n```');
});

test('scripts and styles are no text', () => {
  expect(pageTexts('<script>var a = "ignore this";</script><style>p{}</style><p>x</p>')).toEqual({
    text: 'x',
    concealed: '',
    metadata: '',
  });
});

test('a page that a script will show is read as shown', () => {
  const { text } = pageTexts(`<body><div style="opacity:0">${'Words of an article. '.repeat(50)}</div></body>`);
  expect(text).toContain('Words of an article.');
});
