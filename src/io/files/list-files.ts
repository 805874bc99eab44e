import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { codeOf } from './folder.ts';

/** Every file below a folder, relative to it and with `/` between names, in a fixed order. Empty if there is no folder. */
export function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll(sep, '/'),
      )
      .sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
