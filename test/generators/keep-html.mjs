import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds a site in each of its variants, or in those named on the command line, and keeps the HTML as the generator wrote it.
 *
 * @param {URL} folder The folder of the generator, with `site/` and `variants/`.
 * @param {readonly string[]} variants In the order of building; the first is `base`. One without a folder has the sources of the base.
 * @param {(sources: string, variant: string) => string} build Builds the sources and answers the folder of the built site.
 */
export function keepHtml(folder, variants, build) {
  const at = fileURLToPath(folder);
  const removedOf = readRemoved(join(at, 'built/removed.json'));
  const asked = process.argv.slice(2);
  for (const variant of asked.length > 0 ? asked : variants) {
    const room = mkdtempSync(join(tmpdir(), 'site-'));
    const sources = join(room, variant);
    cpSync(join(at, 'site'), sources, { recursive: true });
    const own = join(at, 'variants', variant);
    if (existsSync(own)) cpSync(own, sources, { recursive: true });
    const pages = htmlOf(build(sources, variant), room);
    rmSync(join(at, 'built', variant), { recursive: true, force: true });
    const base = variant === 'base' ? new Map() : htmlOf(join(at, 'built/base'), room);
    for (const [path, html] of pages) if (base.get(path) !== html) write(join(at, 'built', variant, path), html);
    removedOf[variant] = [...base.keys()].filter((path) => !pages.has(path));
    rmSync(room, { recursive: true });
  }
  const listed = Object.entries(removedOf).filter(([, paths]) => paths.length > 0);
  write(join(at, 'built/removed.json'), `${JSON.stringify(Object.fromEntries(listed), null, 2)}\n`);
}

function readRemoved(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

function htmlOf(folder, room) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.html'));
  const pages = new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  for (const [path, html] of pages) if (html.includes(room)) throw new Error(`${path} names the folder of its build.`);
  return pages;
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
