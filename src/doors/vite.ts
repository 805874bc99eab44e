/** `tidings/vite`: publishes change feeds after each build of a site by Vite 5 or later. */

import { basename, resolve } from 'node:path';
import {
  generatedAddress,
  namedLines,
  type PluginLines,
  type PluginOptions,
  publishGenerated,
} from './generator-plugin.ts';

export type * from './plugin-types.ts';

/** The part of the resolved Vite configuration that is used. */
export interface ViteConfig {
  readonly root: string;
  readonly base: string;
  readonly configFile?: string | undefined;
  readonly build: {
    readonly outDir: string;
    readonly ssr?: unknown;
    readonly watch?: unknown;
    readonly write?: unknown;
  };
  /** Present if an app with several environments is built. */
  readonly builder?: unknown;
  readonly logger: PluginLines;
}

/** What hooks of Vite see as `this`. Vite 5 has no environments, and 7 is the first to state its version. */
export interface ViteContext {
  readonly environment?: { readonly config: ViteConfig & { readonly consumer?: string } };
  readonly meta?: { readonly viteVersion?: string };
}

/** The hooks of the plugin, as Vite calls them. */
export interface VitePlugin {
  readonly name: string;
  readonly apply: 'build';
  readonly sharedDuringBuild: true;
  configResolved(config: ViteConfig): void;
  buildStart(this: ViteContext): void;
  readonly writeBundle: ViteHook<[]>;
  readonly closeBundle: ViteHook<[error?: Error]>;
  readonly buildApp: { readonly order: 'post'; handler(this: unknown): Promise<void> };
}

export interface ViteHook<Arguments extends readonly unknown[]> {
  readonly order: 'post';
  readonly sequential: true;
  handler(this: ViteContext, ...given: Arguments): Promise<void>;
}

/**
 * The plugin. It runs after all other plugins, once for each successful build, with the pages of the client.
 *
 * @example
 * // vite.config.js
 * import tidings from 'tidings/vite';
 *
 * export default { plugins: [tidings({ site: 'https://docs.example/' })] };
 */
export default function tidings(options: PluginOptions = {}): VitePlugin {
  let config: ViteConfig | undefined;
  /** The config of pages that are written but not yet published. */
  let written: ViteConfig | undefined;
  let isAppBuilt = false;

  async function publishBuild(): Promise<void> {
    if (written === undefined) return;
    const { root, build, logger } = written;
    const place = { ...placeOf(written), root, dir: resolve(root, build.outDir), lines: namedLines(logger) };
    written = undefined;
    await publishGenerated(place, options);
  }

  return {
    name: 'tidings',
    apply: 'build',
    // One instance for all environments, so that it knows what each has written when all are built.
    sharedDuringBuild: true,

    configResolved(resolved) {
      config = resolved;
      if (isPublished(resolved)) generatedAddress(placeOf(resolved), options);
    },

    buildStart() {
      if (isClient(this, config)) written = undefined;
    },

    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const own = this.environment?.config ?? config;
        if (isClient(this, config) && own !== undefined && isPublished(own)) written = own;
      },
    },

    closeBundle: {
      order: 'post',
      sequential: true,
      async handler(error) {
        if (error !== undefined || !isClient(this, config)) return;
        // Other environments of an app may still write pages.
        const isAppToCome = config?.builder !== undefined && this.meta?.viteVersion !== undefined && !isAppBuilt;
        if (!isAppToCome) await publishBuild();
      },
    },

    buildApp: {
      order: 'post',
      async handler() {
        isAppBuilt = true;
        await publishBuild();
      },
    },
  };
}

/** Skips builds for servers, and rebuilds at every save. */
function isPublished({ build }: ViteConfig): boolean {
  return !build.ssr && !build.watch && build.write !== false;
}

function isClient({ environment }: ViteContext, config: ViteConfig | undefined): boolean {
  return environment === undefined ? !config?.build.ssr : environment.config.consumer !== 'server';
}

function placeOf({ base, configFile }: ViteConfig) {
  const file = configFile === undefined ? 'vite.config.js' : basename(configFile);
  const remedy = `Write in ${file}: plugins: [tidings({ site: 'https://docs.example/' })]`;
  return { door: 'tidings/vite', base, remedy };
}
