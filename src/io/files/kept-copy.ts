import { statSync } from 'node:fs';
import { createFileFolder } from './folder.ts';
import { filesBelow } from './list-files.ts';

const GIT_IGNORE = '.gitignore';

/**
 * Makes `to` hold these files of `from` and no others, in the order of `paths`. Files that are the same are not written.
 *
 * Git leaves the copy out: it is of this machine.
 */
export async function keepCopy(from: string, to: string, paths: readonly string[]): Promise<void> {
  const source = createFileFolder(from);
  const copy = createFileFolder(to);
  const wanted = new Set([...paths, GIT_IGNORE]);
  await copy.replace(GIT_IGNORE, Buffer.from('*\n'));
  for (const path of paths) {
    const bytes = await source.read(path);
    if (bytes === undefined) continue;
    const present = copy.sizeOf(path) === bytes.length ? await copy.read(path) : undefined;
    if (present === undefined || Buffer.compare(present, bytes) !== 0) await copy.replace(path, bytes);
  }
  for (const path of filesBelow(to)) if (!wanted.has(path)) await copy.remove(path);
}

export function hasFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
