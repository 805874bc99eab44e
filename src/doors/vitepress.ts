/** `tidings/vitepress`: publishes change feeds after each build of a site by VitePress. */

import { basename } from 'node:path';
import { terminalLines } from '../io/node/build-run.ts';
import { namedLines, type PluginLines, type PluginOptions, publishGenerated } from './generator-plugin.ts';

export type * from './plugin-types.ts';

/** The part that is used of a site that VitePress has built. */
export interface VitePressSite {
  readonly root: string;
  readonly outDir: string;
  readonly cleanUrls?: boolean | undefined;
  readonly configPath?: string | undefined;
  readonly site: { readonly base: string };
  readonly sitemap?: { readonly hostname?: string | undefined } | undefined;
  readonly logger?: PluginLines | undefined;
}

/**
 * A configuration of VitePress whose build publishes. It calls your own `buildEnd` first.
 *
 * It wraps the configuration because plugins of Vite run before VitePress writes its pages.
 *
 * @example
 * // .vitepress/config.mjs
 * import { defineConfig } from 'vitepress';
 * import { withTidings } from 'tidings/vitepress';
 *
 * export default withTidings(defineConfig({ title: 'Docs', cleanUrls: true }), { site: 'https://docs.example/' });
 */
export function withTidings<Config extends object>(config: Config, options: PluginOptions = {}): Config {
  // biome-ignore lint/suspicious/noExplicitAny: the type of the generator's own site, which this package does not know.
  const own: { readonly buildEnd?: (site: any) => unknown } = config;
  return {
    ...config,
    async buildEnd(site: VitePressSite) {
      await own.buildEnd?.(site);
      await publishSite(site, options);
    },
  };
}

async function publishSite(built: VitePressSite, options: PluginOptions): Promise<void> {
  const { root, outDir, cleanUrls = false, configPath, site, sitemap, logger } = built;
  const file = `.vitepress/${configPath === undefined ? 'config.mjs' : basename(configPath)}`;
  const remedy = `Write in ${file}: export default withTidings({ … }, { site: 'https://docs.example/' })`;
  const place = { door: 'tidings/vitepress', root, dir: outDir, remedy, lines: namedLines(logger ?? terminalLines) };
  await publishGenerated({ ...place, site: sitemap?.hostname, base: site.base, cleanUrls }, options);
}
