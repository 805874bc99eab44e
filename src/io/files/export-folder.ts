import { randomBytes } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FolderError } from '../../errors/folder-error.ts';
import type { ExportTarget, TargetFile } from '../../hub/export/export-target.ts';
import type { Artifact } from '../../model/artifact.ts';
import { codeOf, createFileFolder, explainWriteError, writeDurably } from './folder.ts';
import { syncFolder } from './growth.ts';

/** Files are written in there and then get their names: no reader sees half of one. */
const SCRATCH = '.tidings-tmp';
/** What a run left there that was killed is removed once no run can be at work on it. */
const ABANDONED_MS = 3600_000;
/** Where a file system knows no second names for files. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** A folder that a host of static files serves. Made when something is first written to it. */
export function createExportFolder(root: string, now: () => number = Date.now): ExportTarget {
  const folder = createFileFolder(root);
  const scratch = join(root, SCRATCH);
  let isReady: Promise<void> | undefined;
  const write = async ({ path, bytes }: Artifact, name: (file: string, target: string) => Promise<void>) => {
    const target = join(root, path);
    try {
      isReady ??= prepare(scratch, now());
      await isReady;
      return await writeFile(target, bytes, { temporary: join(scratch, randomBytes(8).toString('hex')), name });
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return undefined;
      throw explainWriteError(target, error);
    }
  };
  return {
    name: root,
    wantsHeaderFiles: true,
    list: async () => filesBelow(root),
    read: (path) => folder.read(path),
    holds: async (path, file, bytes) =>
      file.bytes === bytes.length && Buffer.compare((await folder.read(path)) ?? new Uint8Array(), bytes) === 0,
    add: (artifact) => write(artifact, giveName),
    async replace(artifact) {
      const written = await write(artifact, rename);
      if (written === undefined) throw new FolderError(join(root, artifact.path), 'a folder has its name.');
      return written;
    },
  };
}

function filesBelow(root: string): Map<string, TargetFile> {
  const files = new Map<string, TargetFile>();
  const folders = [''];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of entriesOf(join(root, at))) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && path !== SCRATCH) folders.push(path);
      else if (entry.isFile()) {
        const facts = statSync(join(root, path), { throwIfNoEntry: false });
        if (facts !== undefined) files.set(path, fileOf(facts));
      }
    }
  }
  return files;
}

/** Synchronous: for very many small files promises cost more than the looking. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    const what =
      codeOf(error) === 'ENOTDIR' ? 'it is a file, and a folder is wanted.' : `it cannot be read (${codeOf(error)}).`;
    throw new FolderError(folder, what, error);
  }
}

function fileOf({ size, mtimeMs, ino }: { readonly size: number; readonly mtimeMs: number; readonly ino: number }) {
  return { bytes: size, stamp: `${mtimeMs}-${ino}` };
}

async function prepare(scratch: string, nowMs: number): Promise<void> {
  await mkdir(scratch, { recursive: true });
  for (const name of await readdir(scratch)) {
    const file = join(scratch, name);
    const facts = await stat(file).catch(() => undefined);
    if (facts !== undefined && nowMs - facts.mtimeMs > ABANDONED_MS) await rm(file, { force: true });
  }
}

interface Naming {
  readonly temporary: string;
  /** Gives a file its name; leaves what has that name or not. */
  readonly name: (file: string, target: string) => Promise<void>;
}

/** On the disk when it resolves, with all folders on the way to it. */
async function writeFile(target: string, bytes: Uint8Array, { temporary, name }: Naming): Promise<TargetFile> {
  const made = await mkdir(dirname(target), { recursive: true });
  try {
    await writeDurably(temporary, bytes);
    await moveOn(temporary, target);
    await name(temporary, target);
  } finally {
    await rm(temporary, { force: true });
  }
  const highest = made === undefined ? dirname(target) : dirname(made);
  for (let folder = dirname(target); ; folder = dirname(folder)) {
    await syncFolder(folder);
    if (folder === highest || folder === dirname(folder)) break;
  }
  return fileOf(await stat(target));
}

/** Hosts derive ETags from the second and the length: a file that replaces another one within a second is dated after it. */
async function moveOn(temporary: string, target: string): Promise<void> {
  const before = statSync(target, { throwIfNoEntry: false });
  if (before === undefined) return;
  const seconds = Math.floor(before.mtimeMs / 1000);
  const { atime, mtimeMs } = await stat(temporary);
  if (Math.floor(mtimeMs / 1000) <= seconds) await utimes(temporary, atime, seconds + 1);
}

/** Fails with EEXIST if the name is taken, by whatever process. */
async function giveName(file: string, target: string): Promise<void> {
  try {
    await link(file, target);
  } catch (error) {
    if (!NO_LINKS.includes(codeOf(error))) throw error;
    if (existsSync(target)) throw Object.assign(new Error(`${target} is there`), { code: 'EEXIST' });
    await rename(file, target);
  }
}
