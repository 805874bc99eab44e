import { realpathSync, statSync } from 'node:fs';
import { lstat, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { FolderError } from '../../errors/folder-error.ts';
import type { ProjectFiles } from '../../init/project.ts';
import { codeOf, explainWriteError } from './folder.ts';
import { syncFolder } from './growth.ts';
import { writeWhole } from './key-file.ts';
import { makeFolder } from './make-folder.ts';

/** Settings of a project are a few KiB; what is larger is no such file. */
const MAX_BYTES = 512 * 1024;
const MAX_NAMES = 10_000;
const MISSING = ['ENOENT', 'ENOTDIR'];

/**
 * A folder of the user: its files are read cautiously, and new ones made. Nothing that is there is ever written over, and no link
 * is followed out of it.
 */
export class ProjectFolder implements ProjectFiles {
  readonly #home: string;
  readonly #onRemark: (remark: string) => void;
  readonly #told = new Set<string>();

  /** `onRemark` hears once of each file that is there and cannot be read. */
  constructor(root: string, onRemark: (remark: string) => void) {
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
      throw new FolderError(root, 'there is no such folder.');
    }
    this.#home = realpathSync(root);
    this.#onRemark = onRemark;
  }

  async read(path: string): Promise<string | undefined> {
    try {
      const real = await this.#resolve(path);
      if (real === undefined) return undefined;
      const facts = await stat(real);
      if (!facts.isFile()) return this.#remark(path, 'it is no file, and is not read.');
      if (facts.size > MAX_BYTES) {
        return this.#remark(path, `it has ${facts.size} bytes; more than ${MAX_BYTES} are not read.`);
      }
      await using handle = await open(real, 'r');
      return await handle.readFile('utf8');
    } catch (error) {
      return MISSING.includes(codeOf(error)) ? undefined : this.#remark(path, `it cannot be read (${codeOf(error)}).`);
    }
  }

  async list(path: string): Promise<readonly string[]> {
    try {
      const real = await this.#resolve(path);
      return real === undefined ? [] : (await readdir(real)).sort().slice(0, MAX_NAMES);
    } catch (error) {
      if (!MISSING.includes(codeOf(error))) this.#remark(path, `it cannot be read (${codeOf(error)}).`);
      return [];
    }
  }

  async kindOf(path: string): Promise<'file' | 'folder' | 'other' | undefined> {
    const target = join(this.#home, path);
    try {
      const real = await realpath(target);
      const facts = await stat(real);
      if (!this.#holds(real)) return 'other';
      return facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'other';
    } catch (error) {
      if (!MISSING.includes(codeOf(error))) return 'other';
      // A dangling link counts too: a write would follow it.
      return (await lstat(target).catch(() => undefined)) === undefined ? undefined : 'other';
    }
  }

  /** Makes a file and the folders above it. Durable when it resolves. Throws a {@link FolderError} if something is already there. */
  async create(path: string, text: string): Promise<void> {
    const target = this.prepare(path);
    let isMade = false;
    try {
      const handle = await open(target, 'wx', 0o644);
      isMade = true;
      await writeWhole(handle, text);
      await syncFolder(dirname(target));
    } catch (error) {
      if (isMade) await rm(target, { force: true });
      throw explainWriteError(target, error);
    }
  }

  /** The path for a new file, with the folders above it made. Throws if it would be outside of the project. */
  prepare(path: string): string {
    const target = join(this.#home, path);
    try {
      makeFolder(dirname(target), 0o755);
      if (this.#holds(realpathSync(dirname(target)))) return target;
    } catch (error) {
      throw explainWriteError(target, error);
    }
    throw new FolderError(target, 'it would lie outside of the project.');
  }

  /** Undefined, and remarked, for a link that leads out. */
  async #resolve(path: string): Promise<string | undefined> {
    const real = await realpath(join(this.#home, path));
    return this.#holds(real)
      ? real
      : this.#remark(path, 'it is a link that leads out of the project, and is not read.');
  }

  #holds(path: string): boolean {
    return path === this.#home || path.startsWith(this.#home.endsWith(sep) ? this.#home : this.#home + sep);
  }

  #remark(path: string, what: string): undefined {
    if (!this.#told.has(path)) this.#onRemark(`${path}: ${what}`);
    this.#told.add(path);
  }
}
