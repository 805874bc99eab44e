/**
 * Edits a page, publishes the site, and again, until it is killed.
 *
 *     node publish-child.mjs <site folder> <first edition>
 *
 * Says `ready`, then `start <edition>` when a page holds that edition and `done <edition>` when it is published. Every
 * line is written synchronously, so what was said before a kill arrives.
 */
import { renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { publish } from '../../dist/doors/tidings.js';
import { editionHtml, pageOf } from './editions.mjs';

const [dir, first] = process.argv.slice(2);
say('ready');

// Half of the runs find what the last one left behind before anything is edited, half of them after.
if (Math.random() < 0.5) await run();
for (let edition = Number(first); ; edition += 1) {
  const file = join(dir, pageOf(edition));
  writeFileSync(`${file}.new`, editionHtml(edition));
  renameSync(`${file}.new`, file);
  say(`start ${edition}`);
  await run();
  say(`done ${edition}`);
}

async function run() {
  await publish({ dir, site: 'https://docs.example/', rotateBytes: 20_000 });
}

function say(line) {
  writeSync(1, `${line}\n`);
}
