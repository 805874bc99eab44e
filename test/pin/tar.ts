import { gunzipSync, gzipSync } from 'node:zlib';

/**
 * Archives as `tar -z` reads and writes them: ustar headers of 512 bytes, file names of at most 99 bytes or with a prefix
 * (POSIX.1-1988). Without owners and times, so that the same files give the same archive.
 */
const BLOCK = 512;
const NAME_BYTES = 100;
const FIELD = { name: 0, mode: 100, size: 124, time: 136, sum: 148, type: 156, magic: 257, prefix: 345 };

export function packTar(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const parts = [...files].flatMap(([name, bytes]) => [
    headerOf(name, bytes.length),
    bytes,
    Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
  ]);
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}

export function unpackTar(archive: Uint8Array): Map<string, Uint8Array> {
  const tar = gunzipSync(archive);
  const files = new Map<string, Uint8Array>();
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const text = (start: number, length: number) =>
      tar.toString('utf8', at + start, at + start + length).split('\0')[0];
    const size = Number.parseInt(text(FIELD.size, 11) ?? '', 8);
    const prefix = text(FIELD.prefix, 155);
    files.set(
      `${prefix ? `${prefix}/` : ''}${text(FIELD.name, NAME_BYTES)}`,
      tar.subarray(at + BLOCK, at + BLOCK + size),
    );
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

function headerOf(path: string, size: number): Buffer {
  const cut = path.length < NAME_BYTES ? -1 : path.indexOf('/', path.length - NAME_BYTES);
  const header = Buffer.alloc(BLOCK);
  header.write(path.slice(cut + 1), FIELD.name);
  if (cut > 0) header.write(path.slice(0, cut), FIELD.prefix);
  header.write('0000644\x000000000\x000000000\0', FIELD.mode);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, FIELD.size);
  header.write('00000000000\0', FIELD.time);
  header.write('0', FIELD.type);
  header.write('ustar\x0000', FIELD.magic);
  header.fill(' ', FIELD.sum, FIELD.sum + 8);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, FIELD.sum);
  return header;
}
