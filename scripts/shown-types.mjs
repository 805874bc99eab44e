import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORTED = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;

/** The type files that these files import, including themselves. */
export function shownTypes(files) {
  const shown = new Set();
  const left = files.map((file) => join(file));
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (shown.has(file)) continue;
    shown.add(file);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
      left.push(join(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')));
    }
  }
  return shown;
}
