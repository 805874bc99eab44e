import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a folder and of those inside it, `/` between names. Links count as files and are not followed. */
export function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(join(folder, '.').length + 1)
        .replaceAll('\\', '/'),
    );
}
