/**
 * Hashes the pages of a folder once, in a separate process. Prints their number.
 *
 *     node hash-child.mjs <site folder>
 */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [dir = '.'] = process.argv.slice(2);
const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(({ name }) => name.endsWith('.html'));
for (const { parentPath, name } of files) hash('sha256', readFileSync(join(parentPath, name)), 'hex');
console.log(files.length);
