/**
 * One publish, or one hashing of the same files, in a process of its own: what a user pays, start-up included.
 *
 *     node publish-child.mjs publish|hash <site folder>
 *
 * Prints `{ "pages": …, "changes": …, "cpuUs": … }`.
 */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [work, dir] = process.argv.slice(2);
const done = work === 'publish' ? await publishSite() : hashFiles();
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ...done, cpuUs: user + system }));

async function publishSite() {
  const { publish } = await import('../dist/doors/publish.js');
  const { pages, changes } = await publish({ dir, site: 'https://docs.example/' });
  return { pages, changes: changes.length };
}

function hashFiles() {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter(({ name }) => name.endsWith('.html'));
  for (const { parentPath, name } of files) hash('sha256', readFileSync(join(parentPath, name)), 'hex');
  return { pages: files.length, changes: 0 };
}
