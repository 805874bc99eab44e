/**
 * `tidings export` of the data in a folder, once a second, until it is killed.
 *
 *     node export-child.mjs <dist> <folder>
 *
 * Says `ready`, then what the command says. `dist` is the built code, or a copy of it with a planted defect.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, folder] = process.argv.slice(2);
const places = ['--data', join(folder, 'data'), '--to', join(folder, 'out'), '--base-url', 'https://hub.example/'];
process.argv.splice(2, 2, 'export', ...places, '--every', '1');
writeSync(1, 'ready\n');
await import(pathToFileURL(join(dist, 'cli', 'main.js')).href);
