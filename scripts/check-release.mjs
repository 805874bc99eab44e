// Checks whether the sources are those of a release: the tag, package.json, the lockfile, CITATION.cff and the changelog name one version.
// `node scripts/check-release.mjs v0.1.0 [--notes <file>]`; the notes are its part of the changelog.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Semantic Versioning 2.0.0, without build metadata, which npm drops. */
const TAG = /^v((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[\da-z]+(?:\.[\da-z]+)*)?)$/;

/** The flaws of a release, and its part of the changelog. */
export function judgeRelease(root, tag) {
  const version = TAG.exec(tag)?.[1];
  if (version === undefined)
    return { flaws: [`${tag} is no tag of a release, like v0.1.0 or v1.0.0-rc.1.`], notes: '' };
  const read = (name) => readFileSync(join(root, name), 'utf8');
  const lock = JSON.parse(read('package-lock.json'));
  const said = {
    'package.json': JSON.parse(read('package.json')).version,
    'package-lock.json': lock.version,
    'package-lock.json, its root': lock.packages?.['']?.version,
    'CITATION.cff': /^version: *["']?([^"'\s]+)/m.exec(read('CITATION.cff'))?.[1],
  };
  const flaws = Object.entries(said).flatMap(([name, found]) =>
    found === version ? [] : [`${name} says ${found}, the tag ${version}.`],
  );
  const notes = notesOf(read('CHANGELOG.md'), version);
  if (notes === '')
    flaws.push(`CHANGELOG.md says nothing of ${version}: what is "Unreleased" gets the heading "## ${version}".`);
  return { flaws, notes };
}

/** The text below `## 0.1.0` or `## 0.1.0 (2026-03-01)`, up to the next version. */
export function notesOf(changelog, version) {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((text) => text.split(/[\s(]/, 1)[0] === version);
  return part === undefined ? '' : part.slice(part.indexOf('\n') + 1).trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [tag = '', option, file] = process.argv.slice(2);
  const { flaws, notes } = judgeRelease(fileURLToPath(new URL('..', import.meta.url)), tag);
  for (const flaw of flaws) console.error(flaw);
  if (flaws.length > 0) process.exitCode = 1;
  else if (option === '--notes' && file !== undefined) writeFileSync(file, `${notes}\n`);
}
