import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import { TEST_LOG_KEY } from '../../test/support/tlog-site.ts';
import { audit } from './audit.ts';
import { type PublishOptions, publish } from './publish.ts';

const SITE = 'https://docs.example/';
const FORMATS = ['aicf', 'diffdelta', 'resourcesync', 'atom', 'tlog'];
/** Limits that make archives of every kind. */
const SMALL = { rotateBytes: 1500, listBytes: 3000, runItems: 2, runBytes: 3000, atomEntries: 2 };

async function publishTo(folder: TestFolder, texts: readonly string[], options: Partial<PublishOptions> = {}) {
  const pages = texts.map((text, at) => [
    `page-${at}.html`,
    htmlPage(`Page ${at}`, [
      { id: 'a', heading: 'First', text },
      { id: 'b', heading: 'Second', text: `${text} More.` },
    ]),
  ]);
  folder.write(Object.fromEntries(pages));
  return await publish({ dir: folder.path, site: SITE, logKeyText: TEST_LOG_KEY, formats: FORMATS, ...options });
}

/** Some publishes, with changes of every kind. */
async function publishSeveral(folder: TestFolder, options: Partial<PublishOptions> = {}): Promise<void> {
  await publishTo(folder, ['One.', 'Two.', 'Three.', 'Four.'], options);
  await publishTo(folder, ['One.', 'Two, now.', 'Three.', 'Four.'], options);
  folder.remove('page-3.html');
  await publishTo(folder, ['One.', 'Two, now.', 'Three and more.'], { ...options, allowDeletes: true });
}

test('a published folder and its site over HTTP pass, publish by publish', async () => {
  using folder = temporaryFolder();
  using state = temporaryFolder();
  let previousSize: number | undefined;
  for (const text of ['One.', 'Two.', 'Two.', 'Three.']) {
    await publishTo(folder, [text, 'Same.']);
    const report = await audit(folder.path, { state: state.path });
    expect({ ...report, findings: report.findings, unread: report.unread }).toMatchObject({
      ok: true,
      findings: [],
      unread: [],
    });
    expect(report.previousSize).toBe(previousSize);
    previousSize = report.size;
  }
});

test('a log that began late passes, and so does one with pages that are gone', async () => {
  using folder = temporaryFolder();
  await publishTo(folder, ['One.', 'Two.'], { logKeyText: undefined });
  await publishTo(folder, ['One.', 'Zwei.'], { logKeyText: undefined });
  await publishSeveral(folder);
  expect(await audit(folder.path)).toMatchObject({ ok: true, findings: [], unread: [] });
});

test('feeds with archives pass, and an archive that is rewritten is found', async () => {
  using folder = temporaryFolder();
  for (let run = 0; run < 8; run += 1) await publishTo(folder, [`Run ${run}.`, 'Same.'], SMALL);
  expect(await audit(folder.path)).toMatchObject({ ok: true, findings: [], unread: [] });
  const archive = join(folder.path, 'changes-1.atom');
  const text = await readFile(archive, 'utf8');
  await writeFile(archive, text.replace(/<entry>.*?<\/entry>/s, ''));
  const { findings } = await audit(folder.path);
  expect(findings.map(({ what }) => what).join('\n')).toContain('leaves out');
});

test('the site is audited over HTTP, from its root and from a page of it', async () => {
  using folder = temporaryFolder();
  await using server = await serveFolder(folder.path);
  await publishSeveral(folder, { site: server.url, force: true });
  for (const url of [server.url, `${server.url}page-1.html`]) {
    const report = await audit(url, { allowPrivate: true, looks: 1 });
    expect(report).toMatchObject({ ok: true, findings: [], unread: [] });
  }
});

test.each([
  ['ai-changes.ndjson', (text: string) => text.split('\n').slice(1).join('\n'), 'leaves out'],
  ['ai-changes.ndjson', (text: string) => text.replace('"create"', '"update"'), 'another action'],
  ['changes.atom', (text: string) => text.replace(/<entry>.*?<\/entry>/s, ''), 'leaves out'],
  ['diff/latest.json', (text: string) => text.replaceAll('page-2', 'page-9'), 'not in the log'],
  ['resourcesync/changelist.xml', (text: string) => text.replace(/<url>.*?<\/url>/s, ''), 'leaves out'],
])('%s that is rewritten is found by its hash and by what it tells', async (path, rewrite, said) => {
  using folder = temporaryFolder();
  await publishSeveral(folder);
  const file = join(folder.path, path);
  const before = await readFile(file, 'utf8');
  const after = rewrite(before);
  expect(after).not.toBe(before);
  await writeFile(file, after);
  const { findings } = await audit(folder.path);
  expect(findings.map(({ what }) => what).join('\n')).toContain(`${path} is not what entry`);
  expect(findings.map(({ what }) => what).join('\n')).toContain(said);
});
