import { expect, test } from 'vitest';
import { readPageDocument } from './read-page.ts';
import { readTextPage } from './read-text-page.ts';

const URL_OF_PAGE = 'https://docs.example/a';

test.each([
  [
    'a raw one',
    '<h1 id="a\0b">One\0Two</h1><p>Three\0Four <a href="/x\0y" title="t\0">link</a><img src="/i\0.png" alt="a\0">',
  ],
  [
    'a reference',
    '<title>A&#0;B</title><h1 id="x&#0;">One&#x0;Two</h1><p title="&#0;">Three&#0000;Four <a href="/x&#0;">l&#0;</a>',
  ],
  ['in an address', '<h1>One</h1><p><a href="/x%00y#z%00">link</a>'],
  ['in metadata', '<meta name="description" content="a&#0;b\0c"><html lang="e&#0;n"><h1>One</h1>'],
  [
    'in JSON-LD',
    '<script type="application/ld+json">{"@type":"Thing","na\\u0000me":"a\\u0000b","l":["\\u0000"]}</script><h1>One</h1>',
  ],
])('no NUL reaches a document: %s', (_, html) => {
  const document = readPageDocument(`<!doctype html><body>${html}<p>Some text.</p>`, URL_OF_PAGE);
  expect(JSON.stringify(document)).not.toContain('\\u0000');
  expect(document.content.markdown).toContain('One');
});

test('nor from a text or its front matter', () => {
  const text = '---\ntitle: "a\\0b"\ndescription: "c\\x00d"\n---\n# One\0\n\nTwo\0Three\n';
  const document = readTextPage(text, URL_OF_PAGE, 'text/markdown');
  expect(JSON.stringify(document)).not.toContain('\\u0000');
});
