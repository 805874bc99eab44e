import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive. Fields besides name and content are written even if they are wrong. */
export interface BuiltFile {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly method?: number;
  readonly flags?: number;
  /** The upper half of the external attributes. */
  readonly mode?: number;
  readonly extra?: Buffer;
  /** The data as it is written. */
  readonly data?: Buffer;
  readonly crc?: number;
  readonly size?: number;
  readonly packedSize?: number;
  /** The start position in the directory. */
  readonly start?: number;
  /** Where its own header differs from the directory. */
  readonly local?: {
    readonly name?: string;
    readonly method?: number;
    readonly flags?: number;
    readonly crc?: number;
    readonly size?: number;
  };
  /** Bytes after its data. */
  readonly behind?: Buffer;
}

export interface BuiltArchive {
  readonly before?: Buffer;
  readonly after?: Buffer;
  readonly comment?: Buffer;
  readonly count?: number;
  readonly beforeDirectory?: Buffer;
  readonly beforeEnd?: Buffer;
}

/** Any archive, valid or not. */
export function buildZip(files: readonly BuiltFile[], archive: BuiltArchive = {}): Buffer {
  const parts: Buffer[] = [archive.before ?? Buffer.alloc(0)];
  const directory: Buffer[] = [];
  let at = 0;
  for (const file of files) {
    const facts = factsOf(file);
    const local = [headerOf(facts), facts.extra, facts.data, file.behind ?? Buffer.alloc(0)];
    directory.push(directoryHeaderOf(facts, file.start ?? at));
    parts.push(...local);
    at += Buffer.concat(local).length;
  }
  const { comment = Buffer.alloc(0), count = files.length, beforeDirectory = Buffer.alloc(0) } = archive;
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at + beforeDirectory.length, 16);
  end.writeUInt16LE(comment.length, 20);
  const { beforeEnd = Buffer.alloc(0), after = Buffer.alloc(0) } = archive;
  return Buffer.concat([...parts, beforeDirectory, listed, beforeEnd, end, comment, after]);
}

function factsOf(file: BuiltFile) {
  const content = Buffer.from(file.content ?? '');
  const { method = 8, mode = 0o100644, flags = 1 << 11, extra = Buffer.alloc(0) } = file;
  const data = file.data ?? (method === 8 ? deflateRawSync(content) : content);
  const { crc = crc32(content), size = content.length, packedSize = data.length } = file;
  return { ...file, name: Buffer.from(file.name), method, mode, flags, extra, data, crc, size, packedSize };
}

type Facts = ReturnType<typeof factsOf>;

function headerOf({ local = {}, ...facts }: Facts): Buffer {
  const name = local.name === undefined ? facts.name : Buffer.from(local.name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(local.flags ?? facts.flags, 6);
  header.writeUInt16LE(local.method ?? facts.method, 8);
  header.writeUInt32LE(local.crc ?? facts.crc, 14);
  header.writeUInt32LE(facts.packedSize, 18);
  header.writeUInt32LE(local.size ?? facts.size, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(facts.extra.length, 28);
  return Buffer.concat([header, name]);
}

function directoryHeaderOf({ name, flags, method, crc, packedSize, size, extra, mode }: Facts, start: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE((3 << 8) | 20, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(flags, 8);
  header.writeUInt16LE(method, 10);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(packedSize, 20);
  header.writeUInt32LE(size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(mode * 65536, 38);
  header.writeUInt32LE(start, 42);
  return Buffer.concat([header, name, extra]);
}
