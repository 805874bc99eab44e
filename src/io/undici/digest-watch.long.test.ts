import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { listen, openClient, textOf } from '../../../test/support/guarded-client.ts';
import { DigestMismatchError } from '../../errors/fetch-error.ts';
import { readBytes } from '../../fetch/read-text.ts';

const TEXT = 'plain words '.repeat(500);
const digestOf = (bytes: string | Uint8Array) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

/** An origin that answers as it is told, with the requests that it got. */
async function origin(answer: (request: IncomingMessage, response: ServerResponse, count: number) => void) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response, asked.length);
  });
  const { port } = (await listen(server, '127.0.0.1')).address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, asked };
}

function flipped(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[copy.length >> 1] = (copy[copy.length >> 1] ?? 0) ^ 1;
  return copy;
}

clause('DG-5', 'the bytes as they came are hashed, not what they decode to', async () => {
  const packed = gzipSync(TEXT);
  const fields = ['content-digest', 'repr-digest'];
  for (const field of fields) {
    const { url, asked } = await origin((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', [field]: digestOf(packed) }).end(packed);
    });
    expect(await textOf(url, '/')).toBe(TEXT);
    expect(asked.length, field).toBe(1);
  }
});

clause('DG-5', 'one flipped byte is asked for once more, and is never given out', async () => {
  const once = await origin((_, response, count) => {
    const body = Buffer.from(TEXT);
    response.writeHead(200, { 'content-digest': digestOf(TEXT) }).end(count === 1 ? flipped(body) : body);
  });
  await using client = openClient();
  const mended = await client.get({ url: new URL(once.url) });
  expect(mended.wasAltered).toBe(true);
  expect(Buffer.from(await readBytes(mended, { maxBytes: 1e6 })).toString()).toBe(TEXT);
  expect(once.asked.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip, br, deflate', 'identity']);

  const always = await origin((_, response) => {
    response.writeHead(200, { 'repr-digest': digestOf(TEXT) }).end(flipped(Buffer.from(TEXT)));
  });
  await expect(client.get({ url: new URL(always.url) })).rejects.toThrow(DigestMismatchError);
  expect(always.asked).toHaveLength(2);
});

test('a flipped byte in a compressed body, which does not decode any more, is asked for once more too', async () => {
  const packed = gzipSync(TEXT);
  const { url, asked } = await origin(({ headers }, response) => {
    if (headers['accept-encoding'] === 'identity') response.end(TEXT);
    else
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-digest': digestOf(packed) }).end(flipped(packed));
  });
  expect(await textOf(url, '/')).toBe(TEXT);
  expect(asked).toHaveLength(2);
});

clause('DG-5', 'what a proxy compresses on the way does not fit, and is read uncompressed', async () => {
  const behind = await origin((_, response) => {
    response.writeHead(200, { 'content-digest': digestOf(TEXT), 'repr-digest': digestOf(TEXT) }).end(TEXT);
  });
  const proxy = await origin(async ({ headers }, response) => {
    const answer = await fetch(behind.url);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const [content, repr] = ['content-digest', 'repr-digest'].map((name) => answer.headers.get(name) ?? '');
    const kept = { 'content-digest': content, 'repr-digest': repr };
    if (!headers['accept-encoding']?.includes('gzip')) response.writeHead(200, kept).end(bytes);
    else response.writeHead(200, { ...kept, 'content-encoding': 'gzip' }).end(gzipSync(bytes));
  });
  await using client = openClient();
  const response = await client.get({ url: new URL(proxy.url) });
  expect(Buffer.from(await readBytes(response, { maxBytes: 1e6 })).toString()).toBe(TEXT);
  expect(response.wasAltered).toBe(true);
  expect(proxy.asked).toHaveLength(2);
});

test('unknown algorithms, errors and answers without a body are not held against anything', async () => {
  const { url, asked } = await origin(({ url: path = '' }, response) => {
    const status = Number(path.slice(1));
    const field = status === 200 ? 'new-hash=:AAAA:, md5=:AAAA:' : digestOf('something else');
    response.writeHead(status, { 'content-digest': field, 'repr-digest': field }).end(status === 304 ? '' : 'x');
  });
  for (const path of ['/200', '/404', '/503']) expect(await textOf(url, path)).toBe('x');
  expect(await textOf(url, '/304')).toBe('');
  expect(asked).toHaveLength(4);
});

test('a part is held against its own digest, and not against that of the whole', async () => {
  const { url } = await origin((_, response) => {
    const part = Buffer.from(TEXT).subarray(0, 10);
    const fields = { 'content-digest': digestOf(part), 'repr-digest': digestOf(TEXT) };
    response.writeHead(206, { ...fields, 'content-range': `bytes 0-9/${TEXT.length}` }).end(part);
  });
  expect(await textOf(url, '/', { headers: { range: 'bytes=0-9' } })).toBe(TEXT.slice(0, 10));
});

test('a body that is longer than is held goes on as it comes, and does not end well where it does not fit', async () => {
  const large = Buffer.alloc(9 * 1024 * 1024, 'x');
  const { url, asked } = await origin(({ url: path }, response) => {
    response.writeHead(200, { 'content-digest': digestOf(large) }).end(path === '/good' ? large : flipped(large));
  });
  const bytes = async (path: string) => {
    await using client = openClient();
    const response = await client.get({ url: new URL(path, url), maxBodyBytes: 1e8 });
    return (await readBytes(response, { maxBytes: 1e8 })).length;
  };
  expect(await bytes('/good')).toBe(large.length);
  await expect(bytes('/bad')).rejects.toThrow(DigestMismatchError);
  expect(asked).toHaveLength(2);
});

test('a redirect in place of the second answer is no answer', async () => {
  const { url } = await origin((_, response, count) => {
    if (count > 1) response.writeHead(302, { location: '/elsewhere' }).end();
    else response.writeHead(200, { 'content-digest': digestOf('other') }).end(TEXT);
  });
  await expect(textOf(url, '/')).rejects.toThrow(DigestMismatchError);
});
