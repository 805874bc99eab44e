import { expect, test } from 'vitest';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { readTestLog, rootOf, TEST_LOG_KEY } from '../../test/support/tlog-site.ts';
import { signerIn } from '../io/files/log-key.ts';
import { fsckFolder } from './fsck-folder.ts';
import { publish } from './publish.ts';
import { redactFolder } from './redact-folder.ts';

const SITE = 'https://docs.example/';
const LOG = '.well-known/tidings/log.ndjson';
const PAGE = 'changes/index.html';
const SECRET = 'The password is hunter2.';
/** As the page shows it: words that differ are marked. */
const MARKED = /hunter2/;
const logSigner = signerIn(TEST_LOG_KEY, 'test');

async function publishTo(folder: TestFolder, text: string) {
  folder.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]) });
  await publish({ dir: folder.path, site: SITE, logKeyText: TEST_LOG_KEY });
}

const idsTelling = (folder: TestFolder) =>
  folder
    .read(LOG)
    .split('\n')
    .filter((line) => line.includes(SECRET))
    .map((line) => (JSON.parse(line) as { id: string }).id);

test('texts of a change go, every proof stays, and the log says so', async () => {
  using folder = temporaryFolder();
  for (const text of ['One.', SECRET, 'Three.']) await publishTo(folder, text);
  const before = readTestLog(folder.path);
  expect(folder.read('changes.atom')).toContain(SECRET);
  expect(folder.read(PAGE)).toMatch(MARKED);
  const ids = idsTelling(folder);
  expect(ids).toHaveLength(2);
  let kept: readonly string[] = [];
  for (const id of ids) {
    const report = await redactFolder(folder.path, id, { logSigner });
    expect(report.rewritten).toEqual(expect.arrayContaining(['changes.atom', PAGE]));
    kept = report.kept;
  }
  expect(folder.read(LOG)).not.toContain(SECRET);
  expect(folder.read('changes.atom')).not.toContain(SECRET);
  expect(folder.read(PAGE)).not.toMatch(/hunter2|password/);
  const after = readTestLog(folder.path);
  expect(after.faults).toEqual([]);
  expect(rootOf(after.bytes.slice(0, before.size))).toBe(before.root);
  expect(after.entries.at(-1)).toMatchObject({
    type: 'redacted',
    id: ids[1],
    artifacts: ['changes.atom', PAGE].map((path) => ({ path, before: expect.any(String), after: expect.any(String) })),
  });
  // DiffDelta's archives are named by the hash of what they say.
  expect(kept.every((path) => folder.read(path).includes(SECRET))).toBe(true);
  expect(kept.some((path) => path.startsWith('archive/'))).toBe(true);
  expect(await fsckFolder(folder.path)).toMatchObject({ ok: true, findings: [] });

  await publishTo(folder, 'Four.');
  expect(folder.read('changes.atom')).not.toContain(SECRET);
  expect(folder.read(PAGE)).not.toMatch(/hunter2|password/);
  expect(await fsckFolder(folder.path)).toMatchObject({ ok: true, findings: [] });
});

test('a redaction that was cut off behind the log is completed by the next one', async () => {
  using folder = temporaryFolder();
  for (const text of ['One.', SECRET, 'Three.']) await publishTo(folder, text);
  const [id = ''] = idsTelling(folder);
  const published = folder.fingerprint();
  const names = ['tree.json', 'checkpoint'].map((name) => `.well-known/tidings/${name}`);
  const files = Object.fromEntries(names.map((path) => [path, folder.read(path)]));
  await redactFolder(folder.path, id, { logSigner });
  const tiles = Object.keys(folder.fingerprint()).filter((path) => published[path] === undefined);
  for (const path of tiles) folder.remove(path);
  folder.write(files);
  expect((await fsckFolder(folder.path)).findings.length).toBeGreaterThan(0);
  await redactFolder(folder.path, id, { logSigner });
  expect(await fsckFolder(folder.path)).toMatchObject({ ok: true, findings: [] });
  await expect(redactFolder(folder.path, id, { logSigner })).rejects.toThrow(/redacted already/);
});

test('another id, and another key, are refused', async () => {
  using folder = temporaryFolder();
  await publishTo(folder, 'One.');
  await expect(redactFolder(folder.path, 'nobody', { logSigner })).rejects.toThrow(/No change/);
});
