import { execFileSync } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytesOf, createFeedLab, textOf } from '../../../test/support/feed-lab.ts';
import { ALL_FEED, type FeedVersion } from '../../dialects/aicf/shelf/feed-store.ts';
import { SEGMENT_BYTES } from '../zlib/feed-gzip.ts';

async function encodedBytes(version: FeedVersion | undefined, encoding: 'gzip' | 'br'): Promise<Buffer> {
  const encoded = await version?.encoded(encoding);
  if (encoded === undefined) throw new Error(`not kept in ${encoding}`);
  const bytes = await bytesOf(encoded.body);
  expect(bytes.length).toBe(encoded.bytes);
  return bytes;
}

const many = (count: number) => Array.from({ length: count }, () => 'docs');

test('at every size the gzip form unpacks to the version, with any tool', async () => {
  await using lab = await createFeedLab('text-edit');
  await using shelf = await lab.open();
  const sizes: number[] = [];
  for (const count of [1, 1, 250, 60, 1, 400, 3, 1000]) {
    await shelf.add(lab.commit(...many(count)));
    const version = shelf.find('docs');
    const packed = await encodedBytes(version, 'gzip');
    const text = lab.derived('docs');
    expect(gunzipSync(packed).toString()).toBe(text);
    expect(execFileSync('gzip', ['-dc'], { input: packed }).toString()).toBe(text);
    // One byte at a time, as from a slow line.
    const drops = packed.length < 5000 ? Array.from(packed, (byte) => Buffer.of(byte)) : [packed];
    expect((await bytesOf(Readable.from(drops).pipe(createGunzip()))).toString()).toBe(text);
    sizes.push(Math.floor(text.length / SEGMENT_BYTES));
  }
  expect(new Set(sizes).size, 'sizes with several numbers of segments').toBeGreaterThan(2);
  const packed = await encodedBytes(shelf.find('docs'), 'gzip');
  expect(packed.length).toBeLessThan(lab.derived('docs').length / 4);
});

test('a feed that ends exactly at the border of a segment', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  await shelf.add(lab.commit(...many(300)));
  const last = lab.commit('docs')[0];
  const missing = SEGMENT_BYTES - (lab.derived('docs').length % SEGMENT_BYTES);
  if (last === undefined) throw new Error('no change');
  lab.log[lab.log.length - 1] = { ...last, url: `${last.url}${'x'.repeat(missing)}` };
  await shelf.add(lab.log.slice(-1));
  expect(lab.derived('docs').length % SEGMENT_BYTES).toBe(0);
  expect(gunzipSync(await encodedBytes(shelf.find('docs'), 'gzip')).toString()).toBe(lab.derived('docs'));
});

test('the same version has the same bytes, whoever asked before, also after a restart', async () => {
  await using lab = await createFeedLab('text-edit');
  const first = await lab.open();
  await first.add(lab.commit(...many(700)));
  await encodedBytes(first.find('docs'), 'gzip');
  await first.add(lab.commit(...many(500)));
  const before = await encodedBytes(first.find('docs'), 'gzip');
  await first[Symbol.asyncDispose]();

  const kept = await lab.open();
  expect(await encodedBytes(kept.find('docs'), 'gzip')).toEqual(before);
  await kept[Symbol.asyncDispose]();

  await truncate(lab.path('docs.deflate'), 10);
  const mended = await lab.open();
  expect(await encodedBytes(mended.find('docs'), 'gzip')).toEqual(before);
  await mended[Symbol.asyncDispose]();
});

test('a version that is not the newest any more is not given in gzip, and does no harm', async () => {
  await using lab = await createFeedLab('text-edit');
  await using shelf = await lab.open();
  await shelf.add(lab.commit(...many(500)));
  const old = shelf.find('docs');
  await shelf.add(lab.commit(...many(1000)));
  await encodedBytes(shelf.find('docs'), 'gzip');
  expect(await old?.encoded('gzip')).toBeUndefined();
  expect(gunzipSync(await encodedBytes(shelf.find('docs'), 'gzip')).toString()).toBe(lab.derived('docs'));
});

test.each([
  ['small', 10],
  ['large', 1200],
])('the gzip form of a %s feed whose plain bytes were damaged is refused', async (_, length) => {
  await using lab = await createFeedLab('x'.repeat(length));
  await using shelf = await lab.open();
  await shelf.add(lab.commit(...many(1000)));
  await writeFile(lab.path('docs.ndjson'), 'x'.repeat(lab.derived('docs').length));
  await expect(encodedBytes(shelf.find('docs'), 'gzip')).rejects.toThrow('does not hold what was written');
  await shelf.mend();
  expect(gunzipSync(await encodedBytes(shelf.find('docs'), 'gzip')).toString()).toBe(lab.derived('docs'));
});

test('br is made once for all who ask, and only for small feeds', async () => {
  await using lab = await createFeedLab('x'.repeat(1000));
  await using shelf = await lab.open();
  await shelf.add(lab.commit(...many(10)));
  const version = shelf.find('docs');
  const [one, other] = await Promise.all([version?.encoded('br'), version?.encoded('br')]);
  expect(one).toBe(other);
  expect(brotliDecompressSync(await encodedBytes(version, 'br')).toString()).toBe(lab.derived('docs'));
  expect(version?.encoded('br'), 'from memory, at once').toHaveProperty('bytes');
  await shelf.add(lab.commit(...many(1000)));
  expect(shelf.find('docs')?.encoded('br')).toBeUndefined();
});

test('a large feed is streamed while it grows, and packed for later when nobody should wait for it', async () => {
  await using lab = await createFeedLab('x'.repeat(1000));
  await using shelf = await lab.open();
  await shelf.add(lab.commit(...many(4500)));
  const version = shelf.find(ALL_FEED);
  const before = lab.derived(ALL_FEED);
  if (version === undefined) throw new Error('no version');
  const body = version.read(0, version.bytes);
  expect(body).not.toBeInstanceOf(Uint8Array);
  expect(body).not.toBeInstanceOf(Promise);
  const pieces: Uint8Array[] = [];
  for await (const piece of (await body) as AsyncIterable<Uint8Array>) {
    if (pieces.length < 5) await shelf.add(lab.commit(...many(30)));
    pieces.push(piece);
  }
  expect(pieces.length).toBeGreaterThan(10);
  expect(Buffer.concat(pieces).equals(Buffer.from(before))).toBe(true);
  expect((await bytesOf(version.read(70, 90))).toString()).toBe(before.slice(70, 90));
  expect(await textOf(shelf.find(ALL_FEED))).toBe(lab.derived(ALL_FEED));

  expect(await shelf.find(ALL_FEED)?.encoded('gzip')).toBeUndefined();
  await expect.poll(() => shelf.find(ALL_FEED)?.encoded('gzip')).toBeDefined();
  expect(gunzipSync(await encodedBytes(shelf.find(ALL_FEED), 'gzip')).toString()).toBe(lab.derived(ALL_FEED));
});
