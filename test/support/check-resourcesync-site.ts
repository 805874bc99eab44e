import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Finding } from '../../src/codecs/primitives/finding.ts';
import { check } from '../../src/doors/check.ts';

export const PAGE = '<!doctype html><title>My shrine</title><p>Hello.</p>\n';
export const ROOT =
  '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">';
export const INDEX = ROOT.replace('urlset', 'sitemapindex');

export const WELL_KNOWN = '.well-known/resourcesync';
export const CAPABILITIES = 'my-shrine/capabilitylist.xml';
export const CHANGES = 'my-shrine/changelist.xml';
export const RESOURCES = 'my-shrine/resourcelist.xml';

export type Files = Record<string, string | Uint8Array>;

/** A correct site, one element per line, so that a test knows the lines. */
export function shrine(): Files {
  const hash = createHash('sha256').update(PAGE).digest('hex');
  return {
    'index.html': PAGE,
    'about.json': '{"name": "My site", "author": {"name": "Ann"}}',
    'my-shrine/index.html': PAGE,
    [WELL_KNOWN]: lines(
      ROOT,
      '<rs:ln rel="describedby" href="https://example.com/about.json"/>',
      '<rs:md capability="description"/>',
      '<url>',
      '<loc>https://example.com/my-shrine/capabilitylist.xml</loc>',
      '<rs:md capability="capabilitylist"/>',
      '<rs:ln rel="describes" href="https://example.com/my-shrine/"/>',
      '</url>',
      '</urlset>',
    ),
    [CAPABILITIES]: lines(
      ROOT,
      '<rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>',
      '<rs:ln rel="describes" href="https://example.com/my-shrine/"/>',
      '<rs:ln rel="describedby" href="https://example.com/about.json"/>',
      '<rs:md capability="capabilitylist"/>',
      '<url>',
      '<loc>https://example.com/my-shrine/changelist.xml</loc>',
      '<rs:md capability="changelist"/>',
      '</url>',
      '<url>',
      '<loc>https://example.com/my-shrine/resourcelist.xml</loc>',
      '<rs:md capability="resourcelist"/>',
      '</url>',
      '</urlset>',
    ),
    [CHANGES]: lines(
      ROOT,
      '<rs:ln rel="up" href="https://example.com/my-shrine/capabilitylist.xml"/>',
      '<rs:md capability="changelist" from="2022-01-01T00:00:00Z"/>',
      '<url>',
      '<loc>https://example.com/my-shrine/</loc>',
      '<rs:md change="updated" datetime="2022-11-06T10:00:00Z"/>',
      '</url>',
      '</urlset>',
    ),
    [RESOURCES]: lines(
      ROOT,
      '<rs:ln rel="up" href="https://example.com/my-shrine/capabilitylist.xml"/>',
      '<rs:md capability="resourcelist" at="2022-11-06T10:00:00Z"/>',
      '<url>',
      '<loc>https://example.com/my-shrine/</loc>',
      `<rs:md hash="sha-256:${hash}" length="${PAGE.length}" type="text/html"/>`,
      '</url>',
      '</urlset>',
    ),
  };
}

export function lines(...each: string[]): string {
  return `${each.join('\n')}\n`;
}

export async function folderOf(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-check-rs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, body] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), body);
  }
  return folder;
}

/** The findings, with places relative to the folder. */
export async function findingsIn(files: Files): Promise<Finding[]> {
  const folder = await folderOf(files);
  const found = await check(folder, { spec: 'resourcesync' });
  return found.map((finding) => ({ ...finding, where: finding.where.replace(`${folder}/`, '') }));
}

/** The findings after one text in one file is replaced. The text must exist. */
export async function withEdit(path: string, from: string, to: string): Promise<Finding[]> {
  const files = shrine();
  const before = String(files[path]);
  if (!before.includes(from)) throw new Error(`${path} does not hold ${from}`);
  return await findingsIn({ ...files, [path]: before.replace(from, to) });
}

export const brief = (findings: readonly Finding[]) =>
  findings.map(({ level, clause: id, where }) => `${level} ${id} ${where}`);
