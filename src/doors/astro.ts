/** `tidings/astro`: publishes change feeds after each build of a site by Astro. */

import { fileURLToPath } from 'node:url';
import { generatedAddress, type PluginLines, type PluginOptions, publishGenerated } from './generator-plugin.ts';

export type * from './plugin-types.ts';

/** The part of the Astro configuration that is used. */
export interface AstroConfig {
  readonly root: URL;
  readonly site?: string | undefined;
  readonly base: string;
  readonly trailingSlash: 'always' | 'never' | 'ignore';
  readonly build: { readonly format: 'file' | 'directory' | 'preserve' };
}

/** The integration, as Astro calls it. */
export interface AstroIntegration {
  readonly name: string;
  readonly hooks: {
    readonly 'astro:config:done': (given: { readonly config: AstroConfig }) => void;
    readonly 'astro:build:start': () => void;
    readonly 'astro:build:done': (given: { readonly dir: URL; readonly logger: PluginLines }) => Promise<void>;
  };
}

/**
 * The integration. Put it last in the list: Astro calls integrations in this order, and others may write pages.
 *
 * @example
 * // astro.config.mjs
 * import { defineConfig } from 'astro/config';
 * import tidings from 'tidings/astro';
 *
 * export default defineConfig({ site: 'https://docs.example', integrations: [tidings()] });
 */
export default function tidings(options: PluginOptions = {}): AstroIntegration {
  let config: AstroConfig | undefined;
  return {
    name: 'tidings',
    hooks: {
      'astro:config:done'(given) {
        config = given.config;
      },

      'astro:build:start'() {
        generatedAddress(placeOf(config), options);
      },

      async 'astro:build:done'({ dir, logger }) {
        if (config === undefined) return;
        const { root, trailingSlash, build } = config;
        const folders = { root: fileURLToPath(root), dir: fileURLToPath(dir) };
        // Astro itself calls the page of `x.html` /x, in its sitemap and in what it passes to integrations.
        const form = { cleanUrls: build.format !== 'directory', trailingSlash: trailingSlash !== 'never' };
        await publishGenerated({ ...placeOf(config), ...folders, ...form, lines: logger }, options);
      },
    },
  };
}

function placeOf(config: AstroConfig | undefined) {
  const remedy = "Write in astro.config.mjs, beside integrations: site: 'https://docs.example',";
  return { door: 'tidings/astro', site: config?.site, base: config?.base, remedy };
}
