import { cp, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startHub } from '../src/doors/hub.ts';

/** What fits into the first flight of packets of a connection. */
const FIRST_FLIGHT = 14 * 1024;

test('the first view fits into one flight of packets: page, style and script together', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-weight-'));
  await cp('examples/site', join(folder, 'site'), { recursive: true });
  const lantern = {
    id: 'lantern',
    kind: 'folder' as const,
    path: './site',
    site: 'https://lantern.example/',
    cleanUrls: true,
  };
  const hub = await startHub({ port: 0, sources: [lantern] }, { base: folder, token: 'test-token-of-the-weight' });
  onTestFinished(async () => {
    await hub.close();
    await rm(folder, { recursive: true, force: true });
  });
  await expect.poll(async () => (await fetch(new URL('api/v1/changes', hub.url))).text()).toContain('pricing');
  const html = await (await fetch(hub.url)).text();
  const files = [
    '',
    ...[...html.matchAll(/(?:href|src)="\.\/(assets\/[^"]+\.(?:css|js))"/g)].map(([, path = '']) => path),
  ];
  expect(files).toHaveLength(3);
  const sizes = await Promise.all(files.map((path) => packedSize(new URL(path, hub.url))));
  expect(
    sizes.reduce((sum, size) => sum + size, 0),
    `${sizes}`,
  ).toBeLessThanOrEqual(FIRST_FLIGHT);
});

/** The bytes on the wire, for who takes gzip. */
async function packedSize(url: URL): Promise<number> {
  return await new Promise((resolve, reject) => {
    const asked = request(url, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      expect(answer.headers['content-encoding']).toBe('gzip');
      let size = 0;
      answer.on('data', (bytes: Buffer) => {
        size += bytes.length;
      });
      answer.on('end', () => resolve(size));
    });
    asked.on('error', reject).end();
  });
}
