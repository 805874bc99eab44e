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
 * Reads a package of a Resource Dump or a Change Dump: the path of a ZIP file, or its bytes. Nothing is written.
 *
 * The whole package is checked first. An unsafe package is refused completely with a `DumpRefusedError`: names that lead out of a folder, links, encrypted
 * files, duplicates, archives that contradict themselves or hide something, bombs, and damage.
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
  /** The folder to write to. It is created if it does not exist. */
  readonly to: string;
}

export interface UnpackReport {
  readonly capability: Dump['capability'];
  /** The files written, by their path below the folder. */
  readonly files: readonly { readonly path: string; readonly loc: string; readonly bytes: number }[];
  /** The addresses that a Change Dump reports as deleted. Nothing is deleted here. */
  readonly deleted: readonly string[];
  readonly problems: readonly DumpProblem[];
}

/**
 * Writes the files that the manifest of a package names, then the manifest. Throws before anything is written if the package is refused, or if a link or a
 * folder with other content is in the way.
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
