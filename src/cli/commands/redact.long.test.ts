import { expect, onTestFinished, test, vi } from 'vitest';
import { operate } from '../../../test/support/operator.ts';
import { htmlPage, temporaryFolder } from '../../../test/support/site.ts';

/** Nobody listens there: a verb that turns to it fails. */
const HUB = 'http://127.0.0.1:1/';

test('a folder that is named is redacted, whatever hub the environment names, and never two places at once', async () => {
  using folder = temporaryFolder();
  using keys = temporaryFolder();
  const key = `${keys.path}/log-key.json`;
  expect(await operate(['keys', 'new', '--log', '--key', key])).toMatchObject({ code: 0 });
  folder.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text: 'The password is hunter2.' }]) });
  const site = ['--site', 'https://docs.example/', '--log-key', key];
  expect(await operate(['publish', folder.path, ...site])).toMatchObject({ code: 0 });
  const log = () => folder.read('.well-known/tidings/log.ndjson');
  const telling = log()
    .split('\n')
    .find((line) => line.includes('hunter2'));
  const { id } = JSON.parse(telling ?? '{}') as { readonly id: string };

  const both = await operate(['redact', id, folder.path, '--hub', HUB, '--log-key', key, '--yes']);
  expect(both).toMatchObject({ code: 2 });
  expect(both.err).toContain('Name one of them');
  expect(log()).toContain('hunter2');

  vi.stubEnv('TIDINGS_HUB', HUB);
  onTestFinished(() => void vi.unstubAllEnvs());
  const redacted = await operate(['redact', id, folder.path, '--log-key', key, '--yes'], { TIDINGS_HUB: HUB });
  expect(redacted, redacted.err).toMatchObject({ code: 0 });
  expect(log()).not.toContain('hunter2');
});
