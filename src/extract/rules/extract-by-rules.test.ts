import { expect, test } from 'vitest';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { readPageDocument, readRuledPage } from '../document/read-page.ts';
import { extractPage } from '../extract-page.ts';
import { createReadingRules } from './reading-rules.ts';

const URL = 'https://docs.example/a';
const page = (stamp: string) => `<html><head><title>Limits</title></head><body><main><h1 id="l">Limits</h1>
<p>Every account has limits.<span class="stamp"> Built at ${stamp}.</span></p>
<h2 id="more">More</h2><p>Ask us.</p><div class="stamp"><h2 id="built">Build</h2><p>${stamp} <a href="/${stamp}">x</a></p></div></main>
<aside class="remark"><p>Mind the gap: <a href="/gap">gap</a>.</p></aside></body></html>`;

const checksumsOf = (html: string, rules = createReadingRules({ ignore: ['.stamp'] })) => {
  const { checksum, sections } = extractPage(html, URL, rules);
  return [checksum, ...sections.map(({ anchor, checksum }) => `${anchor} ${checksum}`)];
};

test('what is ignored is in no fingerprint, no section, no Markdown and no link', () => {
  expect(checksumsOf(page('noon'))).toEqual(checksumsOf(page('night')));
  expect(checksumsOf(page('noon'))).toHaveLength(3);
  expect(extractPage(page('noon'), URL, createReadingRules({ ignore: ['.stamp'] })).markdown).not.toContain('noon');
  const rules = createReadingRules({ ignore: ['.stamp'] });
  expect(JSON.stringify(readRuledPage(page('noon'), URL, { rules, economics: false }))).not.toContain('noon');
});

test('only what is chosen is read, furniture or not, and nothing is chosen from it', () => {
  const rules = createReadingRules({ only: ['aside.remark', 'h2'] });
  const { markdown, title, isUnmatched } = extractPage(page('noon'), URL, rules);
  expect(markdown).toBe('## More\n\n## Build\n\nMind the gap: [gap](https://docs.example/gap).');
  expect(title).toBe('Limits');
  expect(isUnmatched).toBeUndefined();
  const document = readRuledPage(page('noon'), URL, { rules, economics: false });
  expect(document.content.markdown).toBe(markdown);
  expect(document.structure.links?.map(({ url }) => url)).toEqual(['https://docs.example/gap']);
});

test('a page without anything that is chosen is read as usual, and says so', () => {
  const { extractor: _, ...usual } = extractPage(page('noon'), URL);
  const { extractor, isUnmatched, ...read } = extractPage(page('noon'), URL, createReadingRules({ only: ['.none'] }));
  expect(read).toEqual(usual);
  expect(isUnmatched).toBe(true);
});

test('rules hold for what is hidden or stands in noscript, too', () => {
  const html = `<body hidden><p class="stamp">noon</p><p>${'Some words. '.repeat(80)}</p></body>`;
  const rules = createReadingRules({ ignore: ['.stamp'] });
  expect(extractPage(html, URL, rules).markdown).toMatch(/^Some words/);
  const scant = `<p>x</p><noscript>${html.replace(' hidden', '')}</noscript>`;
  expect(readRuledPage(scant, URL, { rules, economics: false }).content.markdown).toMatch(/^Some words/);
});

test('a document is read by rules as somebody writes them; one that makes no sense is refused', () => {
  const given = { only: ['aside.remark'] };
  const options = { economics: false };
  const document = readPageDocument(page('noon'), URL, { ...options, rules: given });
  expect(document.content.markdown).toBe('Mind the gap: [gap](https://docs.example/gap).');
  expect(document).toEqual(readRuledPage(page('noon'), URL, { ...options, rules: createReadingRules(given) }));
  expect(() => readPageDocument('', URL, { rules: { ignore: ['a >'] } })).toThrow(SettingRefusedError);
});
