/**
 * Takes and leaves the writer's place of a folder, again and again, beside others that do the same.
 *
 *     node lock-child.mjs <folder> <turns>
 *
 * Prints how often it held the place, and how often somebody else held it too.
 */
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../../dist/io/sqlite/writer-lock.js';

const [folder, turns] = process.argv.slice(2);
const mark = join(folder, 'held');
let [held, shared] = [0, 0];
for (let turn = 0; turn < Number(turns); turn += 1) {
  const lock = await lockFolder(folder, 'hold').catch(() => undefined);
  if (lock === undefined) continue;
  held += 1;
  // Making a folder fails when it is there already: only one can hold the mark.
  if (attempt(mkdirSync)) {
    await new Promise(setImmediate);
    attempt(rmdirSync);
  } else {
    shared += 1;
  }
  await lock.release();
}
process.stdout.write(`${JSON.stringify({ held, shared })}\n`);

function attempt(operation) {
  try {
    operation(mark);
    return true;
  } catch {
    return false;
  }
}
