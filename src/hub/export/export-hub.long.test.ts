import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { ExportedDocument, ShelfExport } from '../../dialects/shelf-export.ts';
import { createExportFolder } from '../../io/files/export-folder.ts';
import { exportHub } from './export-hub.ts';
import { MANIFEST_PATH } from './export-manifest.ts';
import type { ExportTarget } from './export-target.ts';

const TEXT = { mediaType: 'text/plain', cacheControl: 'no-cache' };
const BASE = new URL('https://hub.example/');

/** A hub of one feed, which grows by a line with each archive, and a head that names the newest one. */
class Lab implements ShelfExport {
  readonly rules = [{ path: 'head.txt', ...TEXT }];
  readonly archives: string[] = [];
  readonly reads: string[] = [];

  *lasting(): Iterable<ExportedDocument> {
    for (const [at, text] of this.archives.entries()) yield this.#document(`archive/${at}.txt`, 'lasting', text);
  }

  *heads(): Iterable<ExportedDocument> {
    const feed = this.archives.join('');
    yield {
      ...this.#document('feed.txt', 'growing', feed),
      version: { tag: String(this.archives.length), bytes: feed.length },
    };
    yield this.#document('head.txt', 'moving', `archive/${this.archives.length - 1}.txt`);
  }

  #document(path: string, kind: ExportedDocument['kind'], text: string): ExportedDocument {
    const read = () => {
      this.reads.push(path);
      return Buffer.from(text);
    };
    return { ...TEXT, path, kind, read };
  }
}

function lab(archives = 300) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const hub = new Lab();
  const add = (count: number) => {
    for (let n = 0; n < count; n += 1) hub.archives.push(`archive ${hub.archives.length} ${'x'.repeat(1000)}\n`);
  };
  add(archives);
  const written: string[] = [];
  const target = noting(createExportFolder(folder.path), written);
  const run = async (meanwhile = () => {}) => {
    [written.length, hub.reads.length] = [0, 0];
    const holdView = async () => {
      meanwhile();
      return { [Symbol.dispose]: () => {} };
    };
    return await exportHub([hub], target, { base: BASE, holdView });
  };
  return { hub, add, written, run, at: (path: string) => join(folder.path, path) };
}

function noting(target: ExportTarget, written: string[]): ExportTarget {
  return {
    ...target,
    add: (artifact) => target.add(artifact).finally(() => written.push(artifact.path)),
    replace: (artifact) => target.replace(artifact).finally(() => written.push(artifact.path)),
  };
}

test('what lasts is written before heads; what comes in meanwhile is written before the head that names it', async () => {
  const { add, run, written, at } = lab(20);
  expect(await run()).toMatchObject({ documents: 22, written: 25 });
  expect(written.slice(-5)).toEqual(['_headers', '.nojekyll', 'feed.txt', 'head.txt', MANIFEST_PATH]);
  add(1);
  expect(await run(() => add(1))).toMatchObject({ documents: 24, written: 5 });
  expect(written).toEqual(['archive/20.txt', 'archive/21.txt', 'feed.txt', 'head.txt', MANIFEST_PATH]);
  expect(readFileSync(at('head.txt'), 'utf8')).toBe('archive/21.txt');
});

test('without news nothing is written and no archive is read; with some, as much as is new', async () => {
  const { hub, add, run, written } = lab();
  await run();
  await run();
  expect([written, hub.reads]).toEqual([[], ['head.txt']]);
  add(3);
  await run();
  expect(hub.reads).toEqual(['archive/300.txt', 'archive/301.txt', 'archive/302.txt', 'feed.txt', 'head.txt']);
});

test.each([
  ['lost', () => ''],
  ['no JSON', () => '{'],
  ['of no pairs', () => '{"tidings_export":1,"base":"","same":{"archive/0.txt":1},"large":{"feed.txt":[1]}}'],
  ['forged', (text: string) => text.replace(/"[0-9a-f]{32}"/g, '"00"').replace(/"300"/, '"301"')],
])('a manifest that is %s does no harm', async (_, forge) => {
  const { hub, add, run, written, at } = lab();
  await run();
  writeFileSync(at(MANIFEST_PATH), forge(readFileSync(at(MANIFEST_PATH), 'utf8')));
  add(1);
  await run();
  expect(written.toSorted()).toEqual([MANIFEST_PATH, 'archive/300.txt', 'feed.txt', 'head.txt']);
  expect(readFileSync(at('feed.txt'), 'utf8')).toBe(hub.archives.join(''));
  await run();
  expect(written).toEqual([]);
});

test('a file that somebody removed is written again, also where the manifest knows of it', async () => {
  const { run, written, at } = lab();
  await run();
  rmSync(at('archive/200.txt'));
  await run();
  expect(written).toEqual(['archive/200.txt', MANIFEST_PATH]);
});

test.each(['archive/7.txt', 'feed.txt'])(
  '%s with other bytes is left as it is, and no head is written',
  async (path) => {
    const { add, run, written, at } = lab();
    await run();
    writeFileSync(at(path), readFileSync(at(path), 'utf8').replace('archive 7', 'archive 8'));
    add(1);
    await expect(run()).rejects.toMatchObject({
      recovery: 'stop',
      path,
      there: expect.any(String),
      here: expect.any(String),
    });
    expect(written).not.toContain('head.txt');
  },
);

test('a target that is ahead of this hub is left as it is: a feed never gets shorter', async () => {
  const { hub, run } = lab(5);
  await run();
  hub.archives.pop();
  await expect(run()).rejects.toMatchObject({ recovery: 'stop', path: 'feed.txt' });
});
