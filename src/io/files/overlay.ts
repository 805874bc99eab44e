import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveRoot } from './built-site.ts';
import { realFile } from './page-lookup.ts';

/** Files of several folders as of one: the first that has a file gives it. No link leads out of its folder. */
export function createOverlay(folders: readonly string[]): (path: string) => Uint8Array | undefined {
  const roots = folders.map((folder) => ({ folder, real: resolveRoot(folder) }));
  return (path) => {
    for (const { folder, real } of roots) {
      const file = realFile(join(folder, path), real);
      if (file !== undefined) return readFileSync(file);
    }
    return undefined;
  };
}
