import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { expectLinear } from '../../../test/support/count-steps.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { checkAIDocument } from '../../codecs/aidocument/check.ts';
import { readTextPage } from './read-text-page.ts';

const URL_OF_PAGE = 'https://docs.example/guide/limits.md';
const markdown = (text: string) => readTextPage(text, URL_OF_PAGE, 'text/markdown', { economics: false });
const plain = (text: string) => readTextPage(text, URL_OF_PAGE, 'text/plain', { economics: false });

clause(['AWI-CT1', 'AWI-CT3'], 'Markdown is kept as it is', () => {
  const text = '# Limits\n\nEvery *account* has `limits`.\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n';
  expect(markdown(`\uFEFF\n${text.replaceAll('\n', '\r\n')}`).content.markdown).toBe(text.trimEnd());
});

clause(['AWI-ID1', 'AWI-ID2', 'AWI-ID3'], 'front matter names title, description and language', () => {
  const { identity, content } = markdown(
    '---\ntitle: "The \\"limits\\""\ndescription: What an account may do # for now\nlang: en_US\ntags: [a, b]\n---\n# Limits\n',
  );
  expect(identity).toMatchObject({ title: 'The "limits"', description: 'What an account may do', language: 'en-US' });
  expect(content.markdown).toBe('# Limits');
  expect(markdown("+++\ntitle = 'It''s'\n+++\ntext").identity.title).toBe("It's");
});

test('a rule at the beginning is no front matter', () => {
  const text = '---\n\nSome words\n\n---\n\nMore words';
  expect(markdown(text).content.markdown).toBe(text);
  expect(markdown('---\ntitle: never closed\n\n# Heading').content.markdown).toContain('title: never closed');
});

clause(['AWI-ST2', 'AWI-ST3'], 'headings of Markdown are read with level and id, and none from code', () => {
  const { structure, identity } = markdown(
    'Title with `code` & *stress*\n===\n\n## [Second](/x) ## {#second .big}\n\n```sh\n# no heading\n```\n\n    # nor this\n\n~~~~\n```\n# nor this\n~~~~\n\nThird\n-----\n\n- item\n---\n#### \n#hash\n###### Sixth_one \\# a',
  );
  expect(structure.headings).toEqual([
    { level: 1, text: 'Title with code & stress' },
    { level: 2, text: 'Second', id: 'second' },
    { level: 2, text: 'Third' },
    { level: 6, text: 'Sixth_one # a' },
  ]);
  expect(identity.title).toBe('Title with code & stress');
});

clause(['AWI-ST4', 'AWI-ST6', 'AWI-ST7'], 'links and images of Markdown are read in every form', () => {
  const { structure } =
    markdown(`See [the *guide*](../guide.md "Title"), [ref][Docs  Home], [docs home] and <https://a.example/x>.
Bare https://b.example/p_(q)?a=1, and (https://c.example/). [here](#top) [mail](mailto:a@b.c) [\`code()\`](</a b>)
[![Build [1]](https://img.example/b.svg)](https://ci.example/) ![Alt text](pic.png 'x') ![logo][l]
<a href="/html" rel="nofollow">HTML</a> <img src="/i.png" alt="inline"> \`[no](https://no.example/)\` [not a link]

\`\`\`
[no](https://no.example/)
\`\`\`

[docs home]: https://docs.example/home "Home"
[l]: <logo.svg>
`);
  expect(structure.links).toEqual([
    { url: 'https://docs.example/guide.md', text: 'the guide', internal: true },
    { url: 'https://docs.example/home', text: 'ref', internal: true },
    { url: 'https://docs.example/home', text: 'docs home', internal: true },
    { url: 'https://a.example/x', internal: false },
    { url: 'https://b.example/p_(q)?a=1', internal: false },
    { url: 'https://c.example/', internal: false },
    { url: 'https://docs.example/a%20b', text: 'code()', internal: true },
    { url: 'https://ci.example/', text: 'Build [1]', internal: false },
    { url: 'https://docs.example/html', text: 'HTML', internal: true, rel: 'nofollow' },
  ]);
  expect(structure.images).toEqual([
    { url: 'https://img.example/b.svg', alt: 'Build [1]' },
    { url: 'https://docs.example/guide/pic.png', alt: 'Alt text' },
    { url: 'https://docs.example/guide/logo.svg', alt: 'logo' },
    { url: 'https://docs.example/i.png', alt: 'inline' },
  ]);
});

clause('AWI-CT1', 'plain text becomes paragraphs, and code where Markdown would alter it', () => {
  const text =
    'First line\nsecond line\n\n- an item\n\n\nA    B\n1    2\n\n    indented\n\n# comment\n\n<tag> & a*b*c\n\nLast 5 * 3.\n';
  expect(plain(text).content.markdown).toBe(
    'First line\nsecond line\n\n- an item\n\n```\nA    B\n1    2\n\n    indented\n\n# comment\n\n<tag> & a*b*c\n```\n\nLast 5 * 3.',
  );
  expect(plain('a\n\n```\n````js\n```').content.markdown).toBe('a\n\n`````\n```\n````js\n```\n`````');
});

test('plain text has links where addresses are written out, and no title', () => {
  const { structure, identity, signals } = plain(
    '# Not a heading\nSee https://docs.example/a, or <http://x.example/b>.',
  );
  expect(structure).toEqual({
    links: [
      { url: 'https://docs.example/a', internal: true },
      { url: 'http://x.example/b', internal: false },
    ],
  });
  expect(identity.title).toBeUndefined();
  expect(signals.heading_hierarchy_ok).toBe(false);
});

test('no line of plain text is lost or altered, whatever it is', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '# a',
      '```',
      '---',
      '===',
      '* a *b*',
      '<b>',
      '    x',
      'a   b',
      '> q',
      '1. x',
      'words',
      '~~~',
      '\f',
      '\\*',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const document = plain(lines.join('\n'));
      expect(checkAIDocument(document)).toEqual([]);
      const written = document.content.markdown.split('\n').values();
      const wanted = lines
        .join('\n')
        .replace(/\r\n?/g, '\n')
        .split(/[\n\f]/);
      for (const text of wanted.filter((one) => one.trim() !== '')) {
        expect([...takeUntil(written, text.trimEnd())].at(-1)).toBe(text.trimEnd());
      }
    }),
  );
});

function* takeUntil(lines: Iterator<string>, wanted: string): Generator<string> {
  for (let next = lines.next(); !next.done; next = lines.next()) {
    yield next.value.trimEnd();
    if (next.value.trimEnd() === wanted) return;
  }
}

clause(['AWI-SRC2', 'AWI-SRC3', 'AWI-DOC5'], 'the rest of the document is as for any page', () => {
  const document = readTextPage('word', 'https://docs.example/a.txt#x', 'text/plain', { statusCode: 200 });
  expect(document.source).toEqual({
    url: 'https://docs.example/a.txt',
    status_code: 200,
    freshness_policy: 'cache_first',
  });
  expect(document.economics).toMatchObject({ output_tokens_approx: 1, raw_html_tokens_approx: 1, token_savings: 0 });
  expect(checkAIDocument(document)).toEqual([]);
  expect(() => readTextPage('', '/a', 'text/plain')).toThrow(TypeError);
  expect(readTextPage('', 'https://docs.example/', 'text/markdown')).not.toHaveProperty('economics');
});

test.each([
  ['[', 300_000],
  ['![', 200_000],
  ['[a](', 100_000],
  ['[a]: ', 100_000],
  ['`', 300_000],
  ['`a', 200_000],
  ['<a ', 100_000],
  ['https://', 50_000],
  ['https://a.example/ ', 50_000],
  ['# x\n', 100_000],
  ['a\n---\n', 100_000],
  ['\n', 500_000],
  [' ', 500_000],
  ['> ', 200_000],
  ['*', 300_000],
  ['a_', 200_000],
  ['---\na: b\n', 60_000],
  ['(', 300_000],
  ['\\', 300_000],
])('%j many times is read in linear steps', async (piece, times) => {
  for (const read of [markdown, plain]) read(piece.repeat(shortOrLong(times / 50, times)));
  for (const type of ['text/markdown', 'text/plain'] as const) {
    await expectLinear<typeof import('./read-text-page.ts'), [string, typeof type]>(
      new URL('./read-text-page.ts', import.meta.url),
      ({ readTextPage }, [text, type]) => readTextPage(text, 'https://docs.example/a.md', type, { economics: false }),
      (count) => [piece.repeat(count), type],
      shortOrLong(300, 1000),
    );
  }
});
