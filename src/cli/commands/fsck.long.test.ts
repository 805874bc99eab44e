import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operate } from '../../../test/support/operator.ts';
import { htmlPage, temporaryFolder } from '../../../test/support/site.ts';

const SITE = ['--site', 'https://docs.example/'];

test('from a key to a log, a look at it and a redaction, with their exit codes', async () => {
  using folder = temporaryFolder();
  using keys = temporaryFolder();
  const key = join(keys.path, 'log-key.json');
  const publishText = async (text: string) => {
    folder.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]) });
    return await operate(['publish', folder.path, ...SITE, '--log-key', key]);
  };
  expect(await operate(['keys', 'new', '--log', '--key', key])).toMatchObject({ code: 0 });
  expect((await operate(['keys', 'list', '--key', key])).code).toBe(2);
  expect((await operate(['fsck', folder.path])).code).toBe(3);
  expect(await publishText('The secret is out.')).toMatchObject({ code: 0 });
  expect(await publishText('Nothing.')).toMatchObject({ code: 0 });
  expect((await operate(['publish', folder.path, ...SITE])).err).toContain('TIDINGS_LOG_KEY');
  expect(await operate(['fsck', folder.path])).toMatchObject({ code: 0, out: expect.stringContaining('All is as') });
  const id = (JSON.parse(folder.read('.well-known/tidings/log.ndjson').split('\n')[1] ?? '') as { id: string }).id;
  const redacted = await operate(['redact', id, folder.path, '--log-key', key, '--yes']);
  expect(redacted).toMatchObject({ code: 0, out: expect.stringContaining('rewrote changes.atom') });
  expect(await operate(['fsck', folder.path])).toMatchObject({ code: 0 });
  folder.write({ 'changes.atom': 'x' });
  expect(await operate(['fsck', folder.path])).toMatchObject({ code: 4, out: expect.stringContaining('changes.atom') });
});
