import { expect, test } from 'vitest';
import { encodeLlmsTxt } from './encode.ts';

/** The grammar of the proposal's own parser, which takes less than its words allow. */
function strictLinks(text: string): Record<string, string[]> {
  const [head = '', ...sections] = text.split(/^##\s*(.*?$)/m);
  expect(
    /^#\s*(?<title>.+?$)\n+(?:^>\s*(?<summary>.+?$)$)?\n+(?<info>.*)/ms.exec(head.trim())?.groups?.info,
  ).toBeTruthy();
  const found: Record<string, string[]> = {};
  for (let at = 0; at < sections.length; at += 2) {
    const links = (sections[at + 1] ?? '').trim().split('\n');
    found[sections[at] ?? ''] = links.map((link) => {
      const match = /^-\s*\[(?<title>[^\]]+)\]\((?<url>[^)]+)\)(?::\s*(?<note>.*))?$/.exec(link);
      expect(match, link).not.toBeNull();
      return match?.groups?.url ?? '';
    });
  }
  return found;
}

test('titles, notes and addresses of any kind are read by the strict grammar', () => {
  const text = encodeLlmsTxt({
    title: 'Docs\n## Not a section',
    summary: 'One\n> two',
    text: 'How to read.',
    sections: [
      {
        name: 'guides',
        links: [{ title: 'A [b] c', url: 'https://docs.example/a(1) b.html.md', note: 'x\n- [y](z)' }],
      },
      { name: 'Optional', links: [{ title: '', url: 'https://docs.example/' }] },
      { name: 'guides', links: [{ title: 'Again', url: 'https://docs.example/again' }] },
      { name: 'empty', links: [] },
    ],
  });
  expect(strictLinks(text)).toEqual({
    guides: ['https://docs.example/a%281%29%20b.html.md'],
    'Optional pages': ['https://docs.example/'],
    'guides 2': ['https://docs.example/again'],
  });
  expect(text).toMatch(/^# Docs ## Not a section\n\n> One > two\n\nHow to read\.\n\n## guides\n/);
});
