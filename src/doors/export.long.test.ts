import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pageOf } from '../../test/support/live-site.ts';
import { type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { headersFor, parseHeadersFile } from '../check/headers-file.ts';
import { decodeHubConfig } from '../hub/config/decode-config.ts';
import { type ExportDataOptions, exportData } from './export.ts';
import { startHub } from './hub.ts';

const BASE = 'https://hub.example/feeds/';
const TOKEN = 'test-token-of-the-exported-hub';
/** In them a hub that runs says where it can be asked for more. */
const OWN_OF_HUB = ['.well-known/diffdelta.json'];

test('what is written out beside a running hub is what it serves, byte for byte; then nothing without news, and nothing over an archive that differs', async () => {
  const { folder, settings, edit, out } = site();
  {
    await using hub = await startHub(settings, { base: folder.path, token: TOKEN });
    await told(hub.url, 'docs', 1);
    expect(await exported(folder)).toMatchObject({ target: out, site: BASE, written: filesIn(out).length });
    edit('Second.');
    await told(hub.url, 'docs', 2);
    // A hub says after some seconds that nothing changed since.
    await vi.waitFor(async () => {
      await exported(folder);
      await ensureServed(hub.url, out);
    }, WAIT);
  }
  await exported(folder);
  const stamps = stampsOf(out);
  expect(Object.keys(stamps)).toEqual(expect.arrayContaining(EXPECTED));
  expect(await exported(folder)).toMatchObject({ written: 0, bytesWritten: 0 });
  expect(stampsOf(out)).toEqual(stamps);
  expect(linesOf(out, 'ai-changes.ndjson')).toBe(3);

  const archive = Object.keys(stamps).find((file) => file.startsWith('archive/docs/')) ?? '';
  const here = readFileSync(join(out, archive));
  const there = Buffer.concat([Buffer.from(' '), here.subarray(1)]);
  writeFileSync(join(out, archive), there);
  const hashes = { there: hash('sha256', there), here: hash('sha256', here) };
  await expect(exported(folder)).rejects.toMatchObject({ recovery: 'stop', path: archive, ...hashes });
  expect(readFileSync(join(out, archive))).toEqual(there);
});

test.each([
  [{ site: 'https://cdn.example/' }, 'Set "baseUrl" in its settings to https://cdn.example/'],
  [{ site: 'cdn' }, 'is no address'],
])('%o is refused with what to do', async (options, remedy) => {
  await expect(exported(site().folder, options)).rejects.toMatchObject({
    recovery: 'fix-config',
    message: expect.stringContaining(remedy),
  });
});

test('a hub without an address, and a private one, are not exported', async () => {
  const { folder } = site();
  const refused = { recovery: 'fix-config' };
  const to = join(folder.path, 'out');
  const config = decodeHubConfig({ data: './data', sources: [] }, { base: folder.path, dialects: [] });
  await expect(exportData(config, { to })).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining('"baseUrl"'),
  });
  const shut = { ...config, baseUrl: BASE, access: 'private' as const };
  await expect(exportData(shut, { to })).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining('--even-private'),
  });
});

const EXPECTED = [
  ...['ai-changes.ndjson', 'aicf/docs.ndjson', '.well-known/ai-changefeed', 'aicf/docs/.well-known/ai-changefeed'],
  ...['diff/docs/head.json', 'diff/source/quiet/latest.json', 'diff/sources.json', '.well-known/diffdelta.json'],
  ...['changes.atom', 'atom/quiet.atom', '_headers', '.nojekyll'],
];
const WAIT = { timeout: 30_000, interval: 50 };

async function ensureServed(hub: string, out: string): Promise<void> {
  const rules = parseHeadersFile(readFileSync(join(out, '_headers'), 'latin1'));
  for (const file of filesIn(out).filter((name) => !OWN.includes(name))) {
    const answer = await fetch(new URL(file, hub));
    expect([file, answer.status]).toEqual([file, 200]);
    const said = headersFor(rules, `/feeds/${file}`);
    expect([file, said?.['content-type']]).toEqual([file, answer.headers.get('content-type')]);
    if (!file.includes('/_archive/'))
      expect([file, said?.['cache-control']]).toEqual([file, answer.headers.get('cache-control')]);
    if (OWN_OF_HUB.includes(file)) continue;
    expect([file, readFileSync(join(out, file), 'utf8')]).toEqual([file, await answer.text()]);
  }
}

function linesOf(out: string, file: string): number {
  return readFileSync(join(out, file), 'utf8').trim().split('\n').length;
}

const OWN = ['_headers', '.nojekyll', '.tidings-export.json'];

function site(): { folder: TestFolder; settings: object; edit: (text: string) => void; out: string } {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const edit = (text: string) => folder.write({ 'site/index.html': pageOf('Home', text) });
  edit('First.');
  const docs = { id: 'docs', kind: 'folder', path: './site', site: 'https://docs.example/', intervalSeconds: 1 };
  const quiet = { ...docs, id: 'quiet', intervalSeconds: 3600, path: './other', site: 'https://quiet.example/' };
  folder.write({ 'other/index.html': pageOf('Other', 'Words.') });
  return { folder, settings: { ...SETTINGS, sources: [docs, quiet] }, edit, out: join(folder.path, 'out') };
}

const SETTINGS = {
  ...{ port: 0, data: './data', baseUrl: BASE, allowPrivate: true },
  ...{ limits: { perMinute: 100_000 }, websubHub: { enabled: false } },
};

function exported({ path }: TestFolder, options: Partial<ExportDataOptions> = {}) {
  const config = decodeHubConfig({ ...SETTINGS, sources: [] }, { base: path, dialects: [] });
  return exportData(config, { to: join(path, 'out'), ...options });
}

/** Waits until so many changes of a source are told in every dialect. */
async function told(hub: string, source: string, changes: number): Promise<void> {
  const lines = async (path: string) => (await (await fetch(new URL(path, hub))).text()).trim().split('\n').length;
  const ready = async () => {
    expect(await lines(`aicf/${source}.ndjson`)).toBe(changes);
    const atom = await (await fetch(new URL(`atom/${source}.atom`, hub))).text();
    expect(atom.split('<entry>')).toHaveLength(changes + 1);
    const head = (await (await fetch(new URL(`diff/${source}/head.json`, hub))).json()) as { cursor: unknown };
    expect(head.cursor).not.toBeNull();
  };
  await vi.waitFor(ready, WAIT);
}

function filesIn(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort();
}

function stampsOf(folder: string): Record<string, string> {
  const stamp = ({ mtimeMs, ino }: { mtimeMs: number; ino: number }) => `${mtimeMs} ${ino}`;
  return Object.fromEntries(filesIn(folder).map((file) => [file, stamp(statSync(join(folder, file)))]));
}
