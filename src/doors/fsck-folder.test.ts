import { expect, test } from 'vitest';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { TEST_LOG_KEY } from '../../test/support/tlog-site.ts';
import { fsckFolder } from './fsck-folder.ts';
import { publish } from './publish.ts';

const SITE = 'https://docs.example/';
const LOG = '.well-known/tidings/log.ndjson';

async function publishedSite(...texts: readonly string[]): Promise<TestFolder> {
  const folder = temporaryFolder();
  for (const text of texts) {
    folder.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]) });
    await publish({ dir: folder.path, site: SITE, logKeyText: TEST_LOG_KEY });
  }
  return folder;
}

test('a published folder is as its log says', async () => {
  using once = await publishedSite('One.');
  expect(await fsckFolder(once.path)).toMatchObject({ ok: true, findings: [] });
  using folder = await publishedSite('One.', 'Two.', 'Two.');
  expect(await fsckFolder(folder.path)).toMatchObject({ ok: true, findings: [] });
});

test('what was altered is named, each by what it contradicts', async () => {
  using folder = await publishedSite('One.', 'Two.');
  const alter = async (path: string, edit: (text: string) => string) => {
    const before = folder.read(path);
    folder.write({ [path]: edit(before) });
    const { findings } = await fsckFolder(folder.path);
    folder.write({ [path]: before });
    return findings.map(({ what, where }) => `${where}: ${what}`);
  };
  expect(await alter(LOG, (text) => text.replace('Two.', 'Too.'))).toEqual([
    expect.stringMatching(/^log\.ndjson: Change 2 \(\w+\) has another excerpt/),
    expect.stringContaining('log.ndjson: It has other bytes'),
  ]);
  expect(await alter(LOG, (text) => text.replace(/"before":"One\.",/, ''))).toContainEqual(
    expect.stringMatching(/has no before any more, and no entry says/),
  );
  expect(await alter(LOG, (text) => text.replace('"action":"create"', '"action":"delete"'))).toContainEqual(
    expect.stringMatching(/has another action than its entry/),
  );
  expect(await alter('changes.atom', (text) => text.replace('Two', 'Too'))).toEqual([
    'changes.atom: It has other bytes than its newest entry in the log says.',
  ]);
  expect(await alter('.well-known/tidings/checkpoint', (text) => text.replace(/\n\d+\n/, '\n3\n'))).toEqual([
    expect.stringMatching(/^checkpoint: The signature of .* is not good/),
  ]);
  expect(await fsckFolder(folder.path)).toMatchObject({ ok: true });
});

test('a folder without a provable log cannot be looked at', async () => {
  using folder = temporaryFolder();
  await expect(fsckFolder(folder.path)).rejects.toThrow(/no log/i);
});
