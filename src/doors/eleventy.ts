/** `tidings/eleventy`: publishes change feeds after each build of a site by Eleventy 3. */

import { resolve } from 'node:path';
import { startFolder, terminalLines } from '../io/node/build-run.ts';
import { generatedAddress, namedLines, type PluginOptions, publishGenerated } from './generator-plugin.ts';

export type * from './plugin-types.ts';

/** The part of an Eleventy build that is used. */
export interface EleventyBuild {
  readonly directories: { readonly output: string };
  readonly runMode: string;
  readonly outputMode: string;
}

/** The part of the Eleventy configuration that is used. */
export interface EleventyConfig {
  /** The path below which the site is served. Eleventy sets it before it calls plugins. */
  readonly pathPrefix?: string | undefined;
  on(event: string, listener: (built: EleventyBuild) => void | Promise<void>): unknown;
}

/**
 * The plugin. It runs after a build with `eleventy`, not while Eleventy serves or watches.
 *
 * @example
 * // eleventy.config.js
 * import tidings from 'tidings/eleventy';
 *
 * export default function (eleventyConfig) {
 *   eleventyConfig.addPlugin(tidings, { site: 'https://docs.example/' });
 * }
 */
export default function tidings(eleventyConfig: EleventyConfig, options: PluginOptions = {}): void {
  const remedy = "Write in eleventy.config.js: eleventyConfig.addPlugin(tidings, { site: 'https://docs.example/' });";
  const place = { door: 'tidings/eleventy', base: eleventyConfig.pathPrefix, remedy };

  eleventyConfig.on('eleventy.before', (build) => {
    if (isPublished(build)) generatedAddress(place, options);
  });

  eleventyConfig.on('eleventy.after', async (build) => {
    if (!isPublished(build)) return;
    const root = startFolder();
    const dir = resolve(root, build.directories.output);
    await publishGenerated({ ...place, root, dir, lines: namedLines(terminalLines) }, options);
  });
}

function isPublished({ runMode, outputMode }: EleventyBuild): boolean {
  return runMode === 'build' && outputMode === 'fs';
}
