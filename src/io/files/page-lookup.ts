import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { FolderError } from '../../errors/folder-error.ts';
import { isPageName, MAX_FILE_BYTES, resolveRoot } from './built-site.ts';
import { codeOf } from './folder.ts';

interface LookedUpPage {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * The first of these paths that is a page of the folder, as a listing of it would have them: no hidden file, no link that leads out.
 * The folder is not listed, so that the cost does not follow its size.
 */
export function lookUpPage(root: string, paths: readonly string[]): LookedUpPage | undefined {
  const realRoot = resolveRoot(root);
  for (const path of paths) {
    if (!isPageName(path) || path.split('/').some((name) => name === '' || name.startsWith('.'))) continue;
    const real = realFile(join(root, path), realRoot);
    if (real !== undefined) return { path, bytes: readFileSync(real) };
  }
  return undefined;
}

/** A file of a folder by its real path. Undefined if there is no file, or if it is outside. */
export function realFile(file: string, realRoot: string): string | undefined {
  try {
    const real = realpathSync(file);
    if (!real.startsWith(realRoot + sep)) return undefined;
    const stat = statSync(real);
    if (!stat.isFile()) return undefined;
    if (stat.size > MAX_FILE_BYTES) {
      throw new FolderError(file, `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB`);
    }
    return real;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error))) return undefined;
    if (error instanceof FolderError) throw error;
    throw new FolderError(file, `it cannot be read (${codeOf(error)}). Check its permissions.`, error);
  }
}
