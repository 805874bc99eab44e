/**
 * Edits a page, publishes the site with its provable log, and again, until it is killed.
 *
 *     node tlog-publish-child.mjs <site folder> <state folder, or -> <first edition> <file of the log key>
 *
 * Says `ready`, then `start <edition>` when a page holds that edition and `done <edition>` when it is published.
 */
import { renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { publish } from '../../dist/doors/tidings.js';
import { editionHtml, pageOf } from './editions.mjs';

const [dir, state, first, logKey] = process.argv.slice(2);
say('ready');

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
  await publish({ dir, site: 'https://docs.example/', logKey, ...(state !== '-' && { state }) });
}

function say(line) {
  writeSync(1, `${line}\n`);
}
