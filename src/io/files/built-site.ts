import {
  closeSync,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { FolderError } from '../../errors/folder-error.ts';
import type { BuiltSite, FileFailure, SiteListing } from '../../model/folder.ts';
import { codeOf } from './folder.ts';

/** A page larger than this is no page: it would cost more memory than it says. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;
const SHARED_BYTES = 512 * 1024;

/**
 * A folder of built HTML on disk.
 *
 * Throws a {@link FolderError} if there is none. Folders and files whose names begin with a dot are not part of the site's pages. Links are followed while
 * they stay inside the folder.
 */
export function createFileBuiltSite(root: string): BuiltSite {
  // Before anybody makes a folder of this name to write into.
  const realRoot = resolveRoot(root);
  const shared = Buffer.allocUnsafe(SHARED_BYTES);
  return {
    name: root,

    list: () => listPages(root, realRoot),

    stampOf: (path) => stampOf(join(root, path)),

    read: (path) => readInto(shared, join(root, path)),
  };
}

function listPages(root: string, realRoot: string): SiteListing {
  const paths: string[] = [];
  const failures: FileFailure[] = [];
  walk({ root, realRoot, paths, failures }, '', []);
  return { paths: paths.sort(), failures };
}

/** What a write or a replacement of the file moves. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 'none' : `${stat.size} ${stat.mtimeMs} ${stat.ino}`;
}

/** Reads to the end of the file: into `shared` when it fits, so that ten thousand pages need one buffer. */
function readInto(shared: Buffer, path: string): Uint8Array {
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (let got = -1; got !== 0 && length < shared.length; length += got) {
      got = readSync(file, shared, length, shared.length - length, length);
    }
    if (length < shared.length) return shared.subarray(0, length);
    if (fstatSync(file).size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB`);
    return readFileSync(path);
  } finally {
    closeSync(file);
  }
}

interface Walk {
  readonly root: string;
  readonly realRoot: string;
  readonly paths: string[];
  readonly failures: FileFailure[];
}

/** `links` are the real paths of the folders that links on the way here led to. */
function walk(state: Walk, folder: string, links: readonly string[]): void {
  const entries = listFolder(state, folder);
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isFile()) addFile(state, path);
    else if (entry.isDirectory()) walk(state, path, links);
    else if (entry.isSymbolicLink()) followLink(state, path, links);
  }
}

function listFolder(state: Walk, folder: string): Dirent[] {
  try {
    return readdirSync(join(state.root, folder), { withFileTypes: true });
  } catch (error) {
    state.failures.push({
      file: join(state.root, folder),
      message: `this folder could not be listed (${codeOf(error)}), so no page is taken for deleted.`,
    });
    return [];
  }
}

/** A link that leads nowhere is a page that cannot be read if it is named like one, and nothing otherwise. */
function followLink(state: Walk, path: string, links: readonly string[]): void {
  let real: string;
  try {
    real = realpathSync(join(state.root, path));
  } catch {
    addFile(state, path);
    return;
  }
  if (!`${real}${sep}`.startsWith(state.realRoot + sep)) {
    if (isPageName(path))
      state.failures.push({ file: join(state.root, path), message: 'this link leads out of the folder.' });
    return;
  }
  if (statSync(real).isFile()) {
    addFile(state, path);
    return;
  }
  const parent = realpathSync(join(state.root, dirname(path)));
  const leadsBack = links.includes(real) || `${parent}${sep}`.startsWith(`${real}${sep}`);
  if (!leadsBack) walk(state, path, [...links, real]);
}

function addFile(state: Walk, path: string): void {
  if (isPageName(path)) state.paths.push(path);
}

export function isPageName(path: string): boolean {
  return /\.x?html?$/i.test(path);
}

/** The real path of the folder; throws a {@link FolderError} if there is none. */
export function resolveRoot(root: string): string {
  try {
    if (!statSync(root).isDirectory())
      throw new FolderError(root, 'it is not a folder. Give the folder with the built site.');
    return realpathSync(root);
  } catch (error) {
    if (error instanceof FolderError) throw error;
    throw new FolderError(
      root,
      `this folder cannot be opened (${codeOf(error)}). Give the folder with the built site.`,
      error,
    );
  }
}
