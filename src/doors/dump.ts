import { memorySource } from '../codecs/zip/memory-source.ts';
import {
  type Dump,
  type DumpLimits,
  type DumpProblem,
  MANIFEST_FILE,
  readDumpFrom,
} from '../dialects/resourcesync/dumps/read-dump.ts';
import { openFileSource } from '../io/files/byte-source.ts';
import { openUnpackFolder } from '../io/files/unpack-folder.ts';
import { inflate } from '../io/zlib/deflate.ts';

export type { Dump, DumpEntry, DumpLimits, DumpProblem } from '../dialects/resourcesync/dumps/read-dump.ts';

/**
 * A package of a Resource Dump or a Change Dump: the path of a ZIP file, or its bytes. Nothing is written.
 *
 * All of it is looked through first. What is not safe to unpack is refused as a whole, by a `DumpRefusedError`: names that lead out of a
 * folder, links, encrypted files, doubles, archives that contradict themselves or hide something, bombs, and damage.
 *
 * @example
 * const dump = await readDump('resourcedump-1.zip');
 * for (const { loc, read } of dump.entries) console.log(loc, (await read())?.length);
 */
export async function readDump(dump: Uint8Array | string, limits: DumpLimits = {}): Promise<Dump> {
  const [name, source] =
    typeof dump === 'string' ? [dump, await openFileSource(dump)] : ['The dump', memorySource(dump)];
  return await readDumpFrom({ name, source, inflate }, limits);
}

export interface UnpackOptions extends DumpLimits {
  /** The path of the ZIP file. */
  readonly file: string;
  /** The folder to write below; it is made if it is not there. */
  readonly to: string;
}

export interface UnpackReport {
  readonly capability: Dump['capability'];
  /** What was written, by the path below the folder. */
  readonly files: readonly { readonly path: string; readonly loc: string; readonly bytes: number }[];
  /** The addresses of what a Change Dump says is gone. Nothing is deleted. */
  readonly deleted: readonly string[];
  readonly problems: readonly DumpProblem[];
}

/**
 * Writes the files that the manifest of a package names, and the manifest after all of them. Throws before anything is written
 * where the package is refused, or where a link or a folder of other content stands in the way.
 *
 * @example
 * const { files, problems } = await unpackDump({ file: 'resourcedump-1.zip', to: './copy' });
 */
export async function unpackDump({ file, to, ...limits }: UnpackOptions): Promise<UnpackReport> {
  const dump = await readDump(file, limits);
  const folder = await openUnpackFolder(to);
  const paths = new Set(dump.entries.flatMap((entry) => entry.file ?? []));
  for (const path of [...paths, MANIFEST_FILE]) await folder.ensureFree(path);

  const files: UnpackReport['files'][number][] = [];
  const deleted: string[] = [];
  for (const { loc, file: path, read } of dump.entries) {
    const bytes = await read();
    if (path === undefined || bytes === undefined) {
      deleted.push(loc);
      continue;
    }
    await folder.write(path, bytes);
    files.push({ path, loc, bytes: bytes.length });
  }
  await folder.write(MANIFEST_FILE, await dump.readManifest());
  const { capability, problems } = dump;
  return { capability, files, deleted, problems };
}
