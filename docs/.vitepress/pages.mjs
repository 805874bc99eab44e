/** Which files of the project are pages of the site, and under which address. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the project, of which `docs/` is a part. */
export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** Folders whose Markdown files are pages, beside those at the root of the project. */
const PLACES = /^(?:docs|specs)\//;

/** Files that are linked to and are no pages. The build copies them. */
export const linkedFiles = new Set();

/** @param {string} file From the root of the project. */
export function isPage(file) {
  return file.endsWith('.md') && (PLACES.test(file) || !file.includes('/'));
}

/** The folders of the project that hold no pages. */
export function foldersWithoutPages() {
  const folders = readdirSync(PROJECT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).filter((name) => !PLACES.test(`${name}/`));
}

/** Where a page stands in the site: `docs/` is its root, the README its first page, and names are in lower case. */
export function pagePath(file) {
  if (file === 'README.md') return 'index.md';
  if (file === 'docs/README.md') return 'documentation.md';
  const place = file.replace(/^docs\//, '').replace(/README\.md$/, 'index.md');
  return place.includes('/') ? place : place.toLowerCase();
}

/** The title of a page: its first heading. */
export function pageTitle(file) {
  const [, title = file] = /^# (.+)$/m.exec(readFileSync(join(PROJECT, file), 'utf8')) ?? [];
  return title.replaceAll('`', '');
}

/** The pages directly in a folder, by name. */
export function pagesIn(folder) {
  const names = readdirSync(join(PROJECT, folder)).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return names.sort().map((name) => `${folder}/${name}`);
}

/**
 * What a link in a file means in the site. Relative links of the files stay as a git host shows them.
 *
 * @returns {{ href: string, isFile?: boolean } | undefined} Nothing for links that leave the project or stay on the page.
 */
export function siteLink(href, from) {
  if (/^(?:[a-z][a-z\d+.-]*:|\/|#)/i.test(href)) return undefined;
  const [path = '', hash] = href.split('#');
  const target = posix.join(posix.dirname(from), decodeURI(path)).replace(/\/$/, '');
  const place = join(PROJECT, target);
  if (target.startsWith('..') || !existsSync(place)) throw new Error(`${from} links to ${href}, which does not exist.`);
  const file = statSync(place).isDirectory() ? `${target}/README.md` : target;
  if (isPage(file)) return { href: `/${pagePath(file)}${hash === undefined ? '' : `#${hash}`}` };
  if (file !== target) throw new Error(`${from} links to ${href}, a folder without a README.md.`);
  linkedFiles.add(target);
  return { href: `/${target}`, isFile: true };
}

/** The path of a file from the root of the project, with slashes. */
export function projectPath(file) {
  return relative(PROJECT, file).split(sep).join('/');
}
