import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readMarkdown } from './support/markdown-page.ts';

const ROOT = resolve('.');
const SITE = 'https://tidings.example/';
/** What the site is made of, beside the pages at the root and what pages link to. */
const PAPERS = ['docs', 'specs', 'scripts/heading-slug.mjs', 'package.json'];
const UNREACHABLE = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/;
const EDITED = 'docs/guides/check.md';

test('the documentation builds without a dead link, and an edit of one section is one event', async ({ skip }) => {
  const tools = await toolsFolder();
  if (tools.missing !== undefined) return skip(tools.missing);
  const folder = papersIn(tools.folder);
  const out = join(folder, 'docs/.vitepress/dist');

  await build(folder);
  const pages = htmlFiles(out);
  const first = eventsOf(out);
  expect(first.every((event) => event.startsWith('create '))).toBe(true);
  expect(first.length).toBe(pages.filter((page) => isMade(out, page)).length);
  expect(pages).toEqual(
    expect.arrayContaining(['index.html', 'verbs.html', 'api.html', 'conformance.html', 'adr/index.html']),
  );
  expect(deadLinks(out, pages)).toEqual([]);
  expect(foreignLoads(out, pages)).toEqual([]);
  expect(readdirSync(join(out, 'assets/chunks')).some((name) => name.includes('localSearchIndex'))).toBe(true);

  const { heading, anchor, text } = firstSection(readFileSync(join(folder, EDITED), 'utf8'));
  writeFileSync(join(folder, EDITED), text.replace(heading, `${heading}\n\nThis sentence is new.`));
  await build(folder);
  expect(eventsOf(out).slice(first.length)).toEqual([`update ${SITE}guides/check.html#${anchor}`]);
});

test('planted: a dead link, a dead anchor and a script of another host are seen', () => {
  const out = mkdtempSync(join(tmp(), 'planted-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  writeFileSync(join(out, 'b.html'), '<h1 id="here">B</h1>');
  writeFileSync(join(out, 'a.html'), '<a href="/b.html#here"></a><a href="/b.html#gone"></a><a href="/c.html"></a>');
  expect(deadLinks(out, ['a.html', 'b.html'])).toEqual(['a.html → /b.html#gone', 'a.html → /c.html']);
  writeFileSync(
    join(out, 'b.html'),
    '<script src="https://cdn.example/x.js"></script><a href="https://x.example/">x</a>',
  );
  expect(foreignLoads(out, ['a.html', 'b.html'])).toEqual(['b.html loads https://cdn.example/x.js']);
});

/** A folder with VitePress in it: `DOCS_TOOLS`, else the one that `npm run docs` uses. */
async function toolsFolder(): Promise<{ readonly folder: string; readonly missing?: string }> {
  const given = process.env.DOCS_TOOLS;
  if (given !== undefined) return { folder: resolve(given) };
  const folder = join(ROOT, 'docs/node_modules');
  const { code, said } = await run(['scripts/build-docs.mjs', '--install'], ROOT);
  if (code === 0) return { folder };
  const [reason] = UNREACHABLE.exec(said) ?? [];
  if (reason === undefined) throw new Error(said);
  return { folder, missing: `the registry of npm cannot be reached: ${reason}` };
}

/** A copy of the papers, below the project so that links of its tools still lead there. */
function papersIn(tools: string): string {
  const folder = mkdtempSync(join(tmp(), 'docs-site-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const papers = [...PAPERS, ...readdirSync(ROOT).filter((name) => name.endsWith('.md'))];
  const isSource = (path: string) => !/[\\/](?:node_modules|cache|dist|\.tidings)$/.test(path);
  for (const name of papers) cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isSource });
  for (const name of linkedFiles(folder)) cpSync(join(ROOT, name), join(folder, name));
  symlinkSync(tools, join(folder, 'docs/node_modules'), 'junction');
  return folder;
}

/** The files of the project that pages link to, from its root. */
function linkedFiles(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const linked = pages.flatMap((page) =>
    readMarkdown(readFileSync(join(folder, page), 'utf8')).links.map((link) =>
      join(dirname(page), decodeURI(link.replace(/#.*/, ''))),
    ),
  );
  return linked.filter((name) => statSync(join(ROOT, name), { throwIfNoEntry: false })?.isFile());
}

async function build(folder: string): Promise<void> {
  const { code, said } = await run(['scripts/build-docs.mjs', folder], ROOT);
  if (code !== 0) throw new Error(said);
}

function run(words: readonly string[], cwd: string): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((settle, reject) => {
    // Without `CI`, which the plugin takes for a build that goes on from the live site.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' };
    const child = spawn(process.execPath, [...words], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 550_000,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => settle({ code, said }));
  });
}

function eventsOf(out: string): string[] {
  const lines = readFileSync(join(out, 'ai-changes.ndjson'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { action, url, anchor } = JSON.parse(line);
    return `${action} ${url}${anchor === undefined ? '' : `#${anchor}`}`;
  });
}

function htmlFiles(out: string): string[] {
  return readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
}

/** Whether a page is one of the generator. A publish may add pages of its own. */
function isMade(out: string, page: string): boolean {
  return page !== '404.html' && readFileSync(join(out, page), 'utf8').includes('<div id="app">');
}

/** Links inside the site that lead to no file, or to no element of it. */
function deadLinks(out: string, pages: readonly string[]): string[] {
  const ids = new Map(pages.map((page) => [page, idsIn(readFileSync(join(out, page), 'utf8'))]));
  return pages.flatMap((page) => {
    const hrefs = [...readFileSync(join(out, page), 'utf8').matchAll(/<a\b[^>]* href="(\/[^"]*|#[^"]*)"/g)];
    return hrefs.flatMap(([, href = '']) => (isAlive(href, page) ? [] : [`${page} → ${href}`]));
  });

  function isAlive(href: string, page: string): boolean {
    const [path = '', hash = ''] = href.split('#');
    const file = path === '' ? page : decodeURI(path.slice(1)).replace(/^$|\/$/, '$&index.html');
    if (!existsSync(join(out, file))) return false;
    return hash === '' || (ids.get(file)?.has(decodeURIComponent(hash)) ?? false);
  }
}

function idsIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
}

/** Scripts, styles, fonts and pictures of other hosts. */
function foreignLoads(out: string, pages: readonly string[]): string[] {
  const loads =
    /<(?:script|img|iframe|source)\b[^>]* src="(https?:[^"]+)"|<link\b[^>]* rel="(?:stylesheet|preload|modulepreload|preconnect|icon)"[^>]* href="(https?:[^"]+)"/g;
  return pages.flatMap((page) =>
    [...readFileSync(join(out, page), 'utf8').matchAll(loads)].map(([, src, href]) => `${page} loads ${src ?? href}`),
  );
}

function firstSection(text: string): { readonly heading: string; readonly anchor: string; readonly text: string } {
  const [heading = '', name = ''] = /^## ([a-z ]+)$/im.exec(text) ?? [];
  return { heading, anchor: name.toLowerCase().replaceAll(' ', '-'), text };
}

function tmp(): string {
  const folder = join(ROOT, '.tmp');
  mkdirSync(folder, { recursive: true });
  return folder;
}
