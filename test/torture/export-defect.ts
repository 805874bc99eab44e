import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './harness.ts';

const FIRST = '    await writeLasting(shelves, writer, manifest?.same ?? {});\n';
const SECOND = FIRST.replace('await', 'const same = await');
const BEHIND_HEADS = '    const base = options.base.href;\n';

/** A copy of the built code with a defect: heads are written before what they name. To dispose of it is to remove it. */
export function plantHeadsFirst(): Disposable & { readonly dist: string } {
  const root = projectRoot();
  // Below the project, so that packages of others are found.
  const place = join(root, '.tmp', 'export-heads-first');
  const copy = join(place, 'dist');
  cpSync(join(root, 'dist'), copy, { recursive: true });
  cpSync(join(root, 'package.json'), join(place, 'package.json'));
  const chunks = readdirSync(join(copy, 'chunks')).map((name) => join(copy, 'chunks', name));
  const file = chunks.find((chunk) => readFileSync(chunk, 'utf8').includes(SECOND));
  const text = file === undefined ? '' : readFileSync(file, 'utf8');
  const planted = text
    .replace(FIRST, '')
    .replace(SECOND, '')
    .replace(BEHIND_HEADS, SECOND + BEHIND_HEADS);
  if (file === undefined || planted.length !== text.length - FIRST.length) {
    throw new Error('The defect does not fit the built code any more.');
  }
  writeFileSync(file, planted);
  return { dist: copy, [Symbol.dispose]: () => rmSync(place, { recursive: true }) };
}
