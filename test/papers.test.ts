import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VERBS } from '../src/cli/verbs.ts';
import { readMarkdown } from './support/markdown-page.ts';
import { exportedNames } from './support/spoken-types.ts';

const MOST_WORDS = 1100;
const FOLDERS = ['docs', 'specs', 'deploy', 'examples', 'bench', 'schema', 'src'];
const PAGES = new Map(
  [...readdirSync('.'), ...FOLDERS.flatMap(filesIn), 'test/generators/README.md'].filter(isMarkdown).map(pageAt),
);

test('the papers are here', () => {
  expect(PAGES.size).toBeGreaterThan(100);
  expect([...PAGES.values()].flatMap(({ links }) => links).length).toBeGreaterThan(300);
});

test('every link between the papers leads to a file, and to a heading where it names one', () => {
  expect([...PAGES].flatMap(([page, { links }]) => links.flatMap((link) => flawOf(page, link)))).toEqual([]);
});

test('planted: a link to no file and one to no heading are seen', () => {
  expect(flawOf('README.md', 'docs/guides/none.md')).toEqual(['README.md → docs/guides/none.md: no such file']);
  expect(flawOf('docs/README.md', '../README.md#none')).toEqual([
    'docs/README.md → ../README.md#none: no such heading',
  ]);
  expect(flawOf('docs/README.md', '../README.md#two-commands')).toEqual([]);
});

test('headings are named as git hosts name them, code is left alone, and the second of a name is told apart', () => {
  const { anchors, links } = readMarkdown(
    '# What’s `follow --once`?\n## A & B\n## A & B\n```md\n# no\n[no](no.md)\n```\n`[no](no.md)` [yes](yes.md#a)',
  );
  expect([...anchors]).toEqual(['whats-follow---once', 'a--b', 'a--b-1']);
  expect(links).toEqual(['yes.md#a']);
});

test('every export of every door is described', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, { types?: string }>;
  };
  const api = readFileSync('docs/api.md', 'utf8');
  const doors = Object.entries(exports).filter(([, { types }]) => types !== undefined);
  expect(doors.length).toBeGreaterThan(10);
  const missing = doors.flatMap(([path, { types = '' }]) => {
    const names = exportedNames(types.replace('./dist/', 'src/').replace('.d.ts', '.ts'));
    expect(names.length, path).toBeGreaterThan(0);
    const [, about = ''] = api.split(`\n## tidings${path.slice(1)}\n`);
    const [section = ''] = about.split(/^## /m);
    return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(section)).map((name) => `${path}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test('every verb is described', () => {
  const page = readFileSync('docs/verbs.md', 'utf8');
  const headings = VERBS.flatMap((entry) => [
    `## ${entry.name}`,
    ...('verbs' in entry ? entry.verbs.map(({ name }) => `### ${entry.name} ${name}`) : []),
  ]);
  expect(headings.filter((heading) => !page.includes(`\n${heading}\n`))).toEqual([]);
});

describe('README', () => {
  test('is short', () => {
    const words = readFileSync('README.md', 'utf8')
      .split(/\s+/)
      .filter((word) => word !== '');
    expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
  });

  test('docs/README.md lists every guide, from which the site makes its sidebar', () => {
    const linked = new Set(PAGES.get('docs/README.md')?.links.map((link) => link.replace(/#.*/, '')));
    const guides = readdirSync('docs/guides').map((name) => `guides/${name}`);
    expect(guides.filter((guide) => !linked.has(guide))).toEqual([]);
  });
});

function isMarkdown(path: string): boolean {
  return path.endsWith('.md') && !path.includes('node_modules');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

function pageAt(path: string) {
  return [path, readMarkdown(readFileSync(path, 'utf8'))] as const;
}

/** Why a link of a page leads nowhere. */
function flawOf(page: string, link: string): string[] {
  if (/^(?:https?|mailto):/.test(link)) return [];
  const [path = '', hash] = link.split('#');
  const named = path === '' ? page : posix.join(posix.dirname(page), decodeURI(path));
  if (!existsSync(named)) return [`${page} → ${link}: no such file`];
  const file = statSync(named).isDirectory() ? join(named, 'README.md') : named;
  if (hash === undefined || !PAGES.has(file) || PAGES.get(file)?.anchors.has(hash)) return [];
  return [`${page} → ${link}: no such heading`];
}
