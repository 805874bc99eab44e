/**
 * Writes the test vectors of agent-feed draft-00, always the same bytes.
 *
 *     node scripts/make-agent-feed-vectors.mjs [folder]     (specs/agent-feed/vectors)
 */

import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalization } from './agent-feed-vectors/canonicalization.mjs';
import { didDocuments } from './agent-feed-vectors/did-documents.mjs';
import { migrationTarget } from './agent-feed-vectors/feed-documents.mjs';
import { feeds } from './agent-feed-vectors/feeds.mjs';
import { json, KEYS } from './agent-feed-vectors/lib.mjs';
import { mismatches } from './agent-feed-vectors/mismatch.mjs';
import { sequences } from './agent-feed-vectors/sequences.mjs';
import { signatures } from './agent-feed-vectors/signatures.mjs';

/** A new case raises the second number. A changed outcome of a case raises the first. */
const VERSION = '1.0.0';
const DATE = '2026-11-16';

const folder = process.argv[2] ?? fileURLToPath(new URL('../specs/agent-feed/vectors', import.meta.url));
const files = new Map();
const cases = {};
const put = (name, value, count) => {
  files.set(name, json(value));
  if (count !== undefined) cases[name] = count;
};

put(
  'keys.json',
  Object.entries(KEYS).map(([name, { seed, publicKey }]) => ({
    name,
    warning: 'A test key. Everybody has its seed.',
    seed: seed.toString('hex'),
    'public-key': publicKey.toString('hex'),
  })),
);
const canonical = canonicalization();
put('canonicalization.json', canonical, canonical.values.length + canonical.doubles.length + canonical.refused.length);
for (const [name, list] of [
  ['signatures', signatures()],
  ['did-documents', didDocuments()],
  ['mismatch', mismatches()],
]) {
  put(`${name}.json`, list, list.length);
}
for (const [name, made] of [
  ['feeds', feeds()],
  ['sequences', sequences()],
]) {
  for (const [path, text] of made.files) files.set(path, text);
  put(`${name}.json`, made.cases, made.cases.length);
}
files.set('feeds/v2-host.xml', migrationTarget());

const names = [...files.keys()].sort();
put('manifest.json', {
  name: 'tidings-agent-feed-vectors',
  version: VERSION,
  date: DATE,
  specification: 'agent-feed draft-00',
  license: 'Apache-2.0',
  cases,
  sha256: Object.fromEntries(names.map((name) => [name, createHash('sha256').update(files.get(name)).digest('hex')])),
});

for (const made of ['did', 'feeds', 'sequences']) rmSync(join(folder, made), { recursive: true, force: true });
for (const [name, text] of files) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
console.log(
  `${files.size} files, ${Object.values(cases).reduce((sum, count) => sum + count, 0)} cases, version ${VERSION}`,
);
