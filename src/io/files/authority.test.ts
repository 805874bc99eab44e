import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { readAuthority } from './authority.ts';

const [CERTIFICATE = '', ANOTHER = ''] = rootCertificates;

test('a PEM file with one certificate or more, and words between them, is taken as it is', async () => {
  for (const pem of [CERTIFICATE, `# ours\r\n${CERTIFICATE}\n# theirs\n${ANOTHER}\n`]) {
    expect(await readAuthority(await fileWith(pem))).toBe(pem);
  }
});

test.each([
  ['nothing', ''],
  ['words', 'This is not a certificate.'],
  ['a key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
  ['a certificate that is cut', CERTIFICATE.slice(0, 300)],
  ['a certificate whose bytes are none', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ['a good certificate and a damaged one', `${CERTIFICATE}\n${ANOTHER.replace('\nMII', '\nAAA')}`],
  ['the bytes of a certificate', Buffer.from(CERTIFICATE.split('\n').slice(1, -1).join(''), 'base64')],
])('a file with %s is refused, by the name of the setting', async (_, content) => {
  const file = await fileWith(content);
  const refusal = readAuthority(file);
  await expect(refusal).rejects.toThrow(SettingRefusedError);
  await expect(refusal).rejects.toMatchObject({ setting: 'ca', recovery: 'fix-config' });
  await expect(refusal).rejects.toThrow(file);
});

test('a file that is not there, and a folder, are refused likewise', async () => {
  const file = await fileWith('');
  for (const path of [`${file}.absent`, join(file, '..')]) {
    await expect(readAuthority(path), path).rejects.toMatchObject({ setting: 'ca', recovery: 'fix-config' });
  }
});

async function fileWith(content: string | Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-ca-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'ca.pem');
  await writeFile(file, content);
  return file;
}
