import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/site.ts';
import { MemoryDocumentCache } from '../crawl/memory-document-cache.ts';
import { PageGoneError } from '../errors/crawl-error.ts';
import { NO_RULES } from '../extract/rules/reading-rules.ts';
import type { Asker } from '../fetch/asker.ts';
import type { FolderConfig } from '../hub/config/source-config.ts';
import { createDocumentReader, readFolderPage } from './hub-documents.ts';

const SITE = 'https://docs.example/base/';

function put(folder: string, file: string, text = file): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(
    join(folder, file),
    `<html><title>T</title><body><main><p>The text of ${text}.</p></main></body></html>`,
  );
}

const sourceOf = (path: string, rest: Partial<FolderConfig> = {}): FolderConfig => ({
  id: 'docs',
  kind: 'folder',
  path,
  site: SITE,
  ...rest,
});

test.each([
  ['', 'index.html'],
  ['x/', 'x/index.html'],
  ['x/', 'x/INDEX.HTM'],
  ['a.html', 'a.html'],
  ['a%20b/%C3%BC.htm', 'a b/ü.htm'],
  ['a&b.xhtml', 'a&b.xhtml'],
  ['guide', 'guide.html', { cleanUrls: true }],
] as readonly [string, string, Partial<FolderConfig>?][])('the page %j is the file %s', async (path, file, rest) => {
  using folder = temporaryFolder();
  put(folder.path, file);
  const { content } = await readFolderPage(sourceOf(folder.path, rest), new URL(path, SITE));
  expect(content.markdown).toContain(file);
});

test('what a listing of the folder does not have is not there', async () => {
  using folder = temporaryFolder();
  using outside = temporaryFolder();
  put(outside.path, 'secret.html');
  for (const file of ['.hidden.html', '.git/x.html', 'notes.txt', 'a.html', 'dir.html/x.html']) put(folder.path, file);
  symlinkSync(join(outside.path, 'secret.html'), join(folder.path, 'out.html'));
  symlinkSync(outside.path, join(folder.path, 'outdir'));
  symlinkSync('loop.html', join(folder.path, 'loop.html'));
  symlinkSync('a.html', join(folder.path, 'within.html'));
  const paths = ['.hidden.html', '.git/x.html', 'notes.txt', 'dir.html', 'out.html', 'outdir/secret.html', 'loop.html'];
  const odd = [
    'a.html?x=1',
    'a.html/',
    'b.html',
    '%2e%2e/a.html',
    'x%2F..%2Fa.html',
    'a.html%00',
    'index.html',
    `${'a'.repeat(300)}.html`,
  ];
  for (const path of [...paths, ...odd]) {
    const reading = readFolderPage(sourceOf(folder.path), new URL(SITE + path));
    await expect(reading, path).rejects.toThrow(PageGoneError);
  }
  const { content } = await readFolderPage(sourceOf(folder.path), new URL(`${SITE}within.html`));
  expect(content.markdown).toContain('a.html');
});

test('who reads a document lets the checks of a host go first, and what the host says binds no source', async () => {
  const seen: unknown[] = [];
  const ways = {
    of: (asker: Asker) => ({
      pages: {
        read: async ({ yields }: { readonly yields?: boolean }) => {
          seen.push({ asker: asker.name, isOwn: asker.isOwn('docs.example'), yields });
          throw new PageGoneError(new URL(SITE), 404);
        },
      },
    }),
  } as unknown as Parameters<typeof createDocumentReader>[0]['ways'];
  const read = createDocumentReader({ ways, cache: new MemoryDocumentCache(), onDiagnostic: () => {} });
  const { signal } = new AbortController();
  await expect(read(new URL(SITE), { refresh: false, rules: NO_RULES, signal })).rejects.toThrow(PageGoneError);
  expect(seen).toEqual([{ asker: 'doc', isOwn: false, yields: true }]);
});
