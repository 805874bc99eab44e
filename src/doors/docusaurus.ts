/** `tidings/docusaurus`: publishes change feeds after each build of a site by Docusaurus 3. */

import { basename, dirname } from 'node:path';
import { commandWords, nativeDoor, terminalLines } from '../io/node/build-run.ts';
import { generatedAddress, namedLines, type PluginOptions, publishGenerated } from './generator-plugin.ts';

export type * from './plugin-types.ts';

const PLACE = {
  door: 'tidings/docusaurus',
  remedy: "Write in docusaurus.config.js: url: 'https://docs.example', baseUrl: '/',",
};

/** The part that is used of a locale that Docusaurus has built. */
export interface DocusaurusBuild {
  readonly siteDir: string;
  readonly outDir: string;
  readonly baseUrl: string;
  readonly siteConfig: { readonly url: string; readonly trailingSlash?: boolean | undefined };
  readonly i18n: DocusaurusLocales;
}

export interface DocusaurusLocales {
  readonly defaultLocale: string;
  readonly currentLocale: string;
  readonly locales: readonly string[];
}

/** The plugin, as Docusaurus calls it. */
export interface DocusaurusPlugin {
  readonly name: string;
  postBuild(built: DocusaurusBuild): Promise<void>;
}

/**
 * The plugin. Docusaurus builds one locale after the other; all of them are published together after the last.
 *
 * @example
 * // docusaurus.config.js
 * export default {
 *   url: 'https://docs.example',
 *   baseUrl: '/',
 *   plugins: [['tidings/docusaurus', { license: 'CC-BY-4.0' }]],
 * };
 */
export default function tidings(
  { siteConfig }: Pick<DocusaurusBuild, 'siteConfig'>,
  given: PluginOptions & { readonly id?: string } = {},
): DocusaurusPlugin {
  // Docusaurus adds an id to tell instances of a plugin apart.
  const { id: _, ...options } = given;
  // Reports a wrong address before a build that takes minutes.
  if (commandWords()[0] === 'build') generatedAddress({ ...PLACE, site: siteConfig.url }, options);
  return {
    name: 'tidings',

    async postBuild(built) {
      const door: { readonly publishLocales: typeof publishLocales } = nativeDoor('tidings/docusaurus');
      await door.publishLocales(built, options);
    },
  };
}

/**
 * Runs after each locale: once the last one is built, it publishes the site with all locales.
 *
 * @example
 * await publishLocales(props, { license: 'CC-BY-4.0' }); // in a postBuild of your own
 */
export async function publishLocales(
  { siteDir, siteConfig: { url, trailingSlash }, i18n, ...built }: DocusaurusBuild,
  options: PluginOptions = {},
): Promise<void> {
  if (i18n.currentLocale !== localesToBuild(i18n, commandWords()).at(-1)) return;
  const { outDir, baseUrl } = rootOf(built, i18n);
  const place = { ...PLACE, root: siteDir, dir: outDir, site: url, base: baseUrl };
  // Unless it is false, each page is a folder, which hosts serve with a slash.
  await publishGenerated({ ...place, cleanUrls: trailingSlash === false, lines: namedLines(terminalLines) }, options);
}

/** In build order: the default locale first. If the command names locales, only those. */
function localesToBuild({ defaultLocale, locales }: DocusaurusLocales, words: readonly string[]): readonly string[] {
  const named = namedLocales(words);
  const chosen = named.length === 0 ? locales : named;
  return [...chosen].sort((one, other) => Number(other === defaultLocale) - Number(one === defaultLocale));
}

/** `--locale fr --locale de`, `--locale=fr`, `-l fr de`. */
function namedLocales(words: readonly string[]): readonly string[] {
  const named: string[] = [];
  let isNaming = false;
  for (const word of words) {
    const [, joined] = /^(?:--locale=|-l=?)(.+)$/.exec(word) ?? [];
    if (joined !== undefined) named.push(joined);
    else if (!word.startsWith('-') && isNaming) named.push(word);
    isNaming = word === '--locale' || word === '-l' || (isNaming && !word.startsWith('-'));
  }
  return named;
}

/** The root of the site: a locale other than the default is in a subfolder of it. */
function rootOf(
  { outDir, baseUrl }: Pick<DocusaurusBuild, 'outDir' | 'baseUrl'>,
  { currentLocale, defaultLocale }: DocusaurusLocales,
): Pick<DocusaurusBuild, 'outDir' | 'baseUrl'> {
  const folder = outDir.replace(/[\\/]+$/, '');
  const name = basename(folder);
  const isBelow = currentLocale !== defaultLocale && baseUrl.endsWith(`/${name}/`);
  return isBelow ? { outDir: dirname(folder), baseUrl: baseUrl.slice(0, -name.length - 1) } : { outDir, baseUrl };
}
