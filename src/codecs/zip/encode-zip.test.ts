import { crc32 as nodeCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deflate, inflate } from '../../io/zlib/deflate.ts';
import type { Result } from '../primitives/result.ts';
import { crc32 } from './crc32.ts';
import { encodeZip, packFile } from './encode-zip.ts';
import { memorySource } from './memory-source.ts';
import { readZipDirectory } from './read-directory.ts';
import { readZipEntry } from './read-entry.ts';
import { viewOf, type ZipEntry } from './wire.ts';

const LIMITS = { maxEntries: 100, maxBytes: 10_000_000 };

function taken<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.issues[0].message);
  return result.value;
}

async function roundTrip(files: readonly (readonly [string, Uint8Array])[]) {
  const zip = taken(encodeZip(files.map(([name, bytes]) => packFile(name, bytes, deflate))));
  const source = memorySource(zip);
  const entries: readonly ZipEntry[] = taken(await readZipDirectory(source, LIMITS));
  const read = entries.map(async (entry) => [entry.name, taken(await readZipEntry(source, entry, inflate))] as const);
  return { zip, entries, read: await Promise.all(read) };
}

const bytesOf = (...arrays: Uint8Array[]) => arrays.map((bytes) => Buffer.from(bytes).toString('hex'));

test('what is packed is read again, whatever it is', async () => {
  const name = fc.stringMatching(/^[a-z]{1,8}(?:\/[a-zé]{1,8}){0,2}\.html$/);
  const file = fc.tuple(name, fc.uint8Array({ maxLength: 300 }));
  const files = fc.uniqueArray(file, { maxLength: 8, selector: ([path]) => path });
  await fc.assert(
    fc.asyncProperty(files, async (packed) => {
      const { read } = await roundTrip(packed);
      expect(read.map(([path]) => path)).toEqual(packed.map(([path]) => path));
      expect(bytesOf(...read.map(([, bytes]) => bytes))).toEqual(bytesOf(...packed.map(([, bytes]) => bytes)));
    }),
    { numRuns: 100 },
  );
});

test('the same files make the same bytes', async () => {
  const files = [['a.html', Buffer.from('a'.repeat(100))] as const];
  expect(Buffer.compare((await roundTrip(files)).zip, (await roundTrip(files)).zip)).toBe(0);
});

test('what packs as well as a bomb is stored, so that it is not taken for one', async () => {
  const { entries } = await roundTrip([['zeros', Buffer.alloc(2_000_000)]]);
  expect(entries).toMatchObject([{ isDeflated: false, bytes: 2_000_000 }]);
});

test.each(['', '/a', '../a', 'a/', 'a\\b'])('the name "%s" is not written', (name) => {
  expect(encodeZip([packFile(name, Buffer.from('x'), deflate)])).toMatchObject({ ok: false });
});

test('two files with one name are not written', () => {
  const files = ['a', 'A'].map((name) => packFile(name, Buffer.from('x'), deflate));
  expect(encodeZip(files)).toMatchObject({ ok: false, issues: [{ clause: 'ZIP-DOUBLE' }] });
});

test('the checksum is that of others', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => crc32(bytes) === nodeCrc32(bytes)),
    { numRuns: 100 },
  );
});

test('many small files that pack too well together are a bomb', async () => {
  const small = Buffer.alloc(900_000);
  const packed = ['a', 'b', 'c'].map((name) => ({
    name,
    data: deflate(small),
    isDeflated: true,
    bytes: small.length,
    crc32: crc32(small),
  }));
  const zip = taken(encodeZip(packed));
  expect(await readZipDirectory(memorySource(zip), LIMITS)).toMatchObject({ issues: [{ clause: 'ZIP-BOMB' }] });
});

test('a directory that would fill the memory is not read', async () => {
  const directory = 65 * 1024 * 1024;
  const asked: number[] = [];
  const source = {
    size: directory + 22,
    async read(_offset: number, length: number) {
      asked.push(length);
      const bytes = new Uint8Array(length);
      const end = viewOf(bytes.subarray(length - 22));
      end.setUint32(0, 0x06054b50, true);
      end.setUint32(12, directory, true);
      return bytes;
    },
  };
  expect(await readZipDirectory(source, LIMITS)).toMatchObject({ issues: [{ clause: 'ZIP-LIMIT' }] });
  expect(asked).toHaveLength(1);
});

test('what is stored is a copy: whoever gave the bytes may use their memory again', async () => {
  const shared = Buffer.alloc(100_000, 'a');
  const packed = packFile('a', shared, deflate);
  expect(packed.isDeflated).toBe(false);
  shared.fill('b');
  expect(Buffer.from(packed.data).every((byte) => byte === 'a'.charCodeAt(0))).toBe(true);
});
