import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { HOSTILE_STRINGS } from '../../test/support/hostile-strings.ts';
import type { ChangeDraft } from '../model/change.ts';
import { changesMarkdown } from './changes-markdown.ts';

const SITE = 'https://docs.example/';
const change = (more: Partial<ChangeDraft>): ChangeDraft => ({
  source: 'docs',
  action: 'update',
  url: `${SITE}a`,
  ...more,
});
const HEADING = 'What changed';

test('a change has its page, its section, and the words that differ', () => {
  const told = change({
    anchor: 'tiers',
    title: 'Pricing',
    heading: 'Tiers',
    before: 'Ten euros a month',
    excerpt: 'Twelve euros a month',
  });
  expect(changesMarkdown([told], { heading: HEADING })).toBe(
    `### What changed\n\n1 change on 1 page.\n\n- **changed** [Pricing &#8250; Tiers](<${SITE}a#tiers>)<br><del>Ten</del><ins><b>Twelve</b></ins> euros a month\n`,
  );
  expect(changesMarkdown([], { heading: HEADING })).toContain('Nothing that readers would see.');
  expect(changesMarkdown([change({ action: 'delete', title: 'Gone' })], { heading: HEADING })).toContain(
    '- **removed** Gone\n',
  );
});

test('it is as long as it may be, and says how much is left out', () => {
  const many = Array.from({ length: 5000 }, (_, at) =>
    change({ url: `${SITE}p${at}`, title: `Page ${at}`, excerpt: 'x'.repeat(300) }),
  );
  const text = changesMarkdown(many, { heading: HEADING });
  expect(text.length).toBeLessThanOrEqual(60_000);
  expect(text.length).toBeGreaterThan(50_000);
  const shown = text.match(/^- /gm)?.length ?? 0;
  expect(text).toContain(`… and ${5000 - shown} more changes`);
});

test('whatever stands in a field is text for a Markdown reader, and calls nobody', () => {
  const reader = new MarkdownIt({ html: true, linkify: true });
  const more = [
    '@octocat',
    'fixes #1',
    '<!-- tidings-action -->',
    'https://evil.example/',
    '![x](//evil.example/p.png)',
    '](x) [y](//evil.example)',
    '\n# Heading\n- item',
    '`code`',
    '| a | b |',
  ];
  for (const text of [...HOSTILE_STRINGS, ...more]) {
    const fields = { anchor: text, title: text, heading: text, before: `1 ${text}`, excerpt: `2 ${text}`, note: text };
    const markdown = changesMarkdown([change(fields), change({ ...fields, action: 'create' })], { heading: HEADING });
    const html = reader.render(markdown);
    expect(html).not.toMatch(/<(?!\/?(?:h3|p|ul|li|strong|a|br|del|ins|b|sub)[ >])/);
    expect([...html.matchAll(/href="([^"]*)"/g)].every(([, href = '']) => href.startsWith(`${SITE}a`))).toBe(true);
    expect(html.match(/<a /g)?.length ?? 0).toBeLessThanOrEqual(2);
    expect(html).not.toMatch(/[@#](?:octocat|1\b)/);
    expect(html).not.toContain('<!--');
  }
});
