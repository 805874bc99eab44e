import { join } from 'node:path';
import { siteAddress } from '../crawl/site-address.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { isBuildService } from '../io/node/build-run.ts';
import { asOptions, pluginError } from './plugin-error.ts';
import type { PublishOptions } from './publish.ts';

/** The options of all generator plugins: those of `publish`, without the ones that the generator knows. */
export interface PluginOptions
  extends Omit<PublishOptions, 'dir' | 'url' | 'out' | 'maxPages' | 'previous' | 'signal' | 'onProgress' | 'onRemark'> {
  /** The public address of the site. Optional if the configuration of the generator contains it. */
  readonly site?: string;
  /**
   * The state that this build continues from: the address of the live site, or a folder with a copy of it. `false`: start from nothing.
   *
   * Default: the site itself if `CI` is set. Otherwise a copy of what the last build on this machine published, in `.tidings/published/` beside the
   * configuration: generators empty their output folder, and the earlier state with it.
   */
  readonly previous?: string | false;
}

/** Where a plugin reports what it did. */
export interface PluginLines {
  readonly info: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** For a logger that does not name the plugin of a line itself. */
export function namedLines(logger: PluginLines): PluginLines {
  return { info: (line) => logger.info(`tidings: ${line}`), warn: (line) => logger.warn(`tidings: ${line}`) };
}

/** A site as its generator has built it, with the facts that the generator knows. */
export interface GeneratedSite {
  /** The entry point in use: `tidings/vite`. */
  readonly door: string;
  /** The folder of the project, in which the copy is kept. */
  readonly root: string;
  /** The folder with the built pages. */
  readonly dir: string;
  /** The public address according to the generator. */
  readonly site?: string | undefined;
  /** The path below which the site is served: `/x/`. Anything but an absolute path is ignored. */
  readonly base?: string | undefined;
  readonly cleanUrls?: boolean | undefined;
  readonly trailingSlash?: boolean | undefined;
  /** What to write and where, if the public address is missing. */
  readonly remedy: string;
  readonly lines: PluginLines;
}

/** The public address, with the path below which the site is served. If it is missing or wrong, throws an error that says what to write. */
export function generatedAddress(
  { door, site, base = '', remedy }: Pick<GeneratedSite, 'door' | 'site' | 'base' | 'remedy'>,
  options: PluginOptions,
): URL {
  const given = options.site ?? site;
  if (given === undefined || given === '') {
    throw pluginError(door, `the public address of the site is not known. ${remedy}`);
  }
  const address = addressOf(door, given, options);
  // A relative base, or the address of a CDN, says only where assets are.
  if (!base.startsWith('/') || base.startsWith('//')) return address;
  const { pathname } = new URL(`${base}/`.replace(/\/{2,}/g, '/'), address);
  const whole = new URL(pathname, address);
  if (address.pathname === '/' || address.pathname === pathname) return whole;
  throw pluginError(
    door,
    `the site ${given} and the base path ${base} contradict each other. Give ${whole.href} as the site, or ${address.pathname} as the base path.`,
  );
}

function addressOf(door: string, given: string, options: PluginOptions): URL {
  try {
    return siteAddress(given, options);
  } catch (error) {
    throw error instanceof TidingsError ? pluginError(door, error.message, error) : error;
  }
}

/**
 * Publishes what a generator has built and reports it in one line. Throws if the build must not be deployed.
 *
 * It throws one error with a message for people; the generators show it and end with a non-zero exit code.
 */
export async function publishGenerated(built: GeneratedSite, options: PluginOptions): Promise<void> {
  const { door, root, dir, cleanUrls, trailingSlash, lines } = built;
  const address = generatedAddress(built, options);
  const site = address.href;
  // Loaded here, because the development server also reads the configuration of a generator.
  const [{ publish }, { reportLine, rootHint }] = await Promise.all([
    import('./publish.ts'),
    import('./report-line.ts'),
  ]);
  const { previous, ...settings } = options;
  const kept = join(root, '.tidings', 'published', placeName(address));
  const from = await previousOf({ previous, site, kept, dryRun: options.dryRun ?? false });
  try {
    const report = await publish({
      ...(cleanUrls !== undefined && { cleanUrls }),
      ...(trailingSlash !== undefined && { trailingSlash }),
      ...settings,
      ...(from.place !== undefined && { previous: from.place }),
      site,
      dir,
      onRemark: (line) => lines.warn(asOptions(line)),
    });
    const { suggestions = [] } = report;
    for (const line of suggestions) lines.info(asOptions(line));
    const hint = suggestions.length > 0 ? rootHint(address, report) : undefined;
    if (hint !== undefined) lines.warn(hint);
    lines.info(`${reportLine(report)}${options.dryRun ? ' (dry run: nothing was written)' : ''}`);
    if (report.failed.length > 0) throw unreadError(door, report.failed);
    if (from.isKept) await (await import('../io/files/kept-copy.ts')).keepCopy(dir, kept, report.artifacts);
  } catch (error) {
    if (!(error instanceof TidingsError) || error.name === 'PluginError') throw error;
    throw pluginError(door, `${error.message}${from.explanation ?? ''}`, error);
  }
}

interface PreviousPlace {
  readonly place?: string;
  /** Whether a copy of this publish is kept for the next build. */
  readonly isKept: boolean;
  /** For a default place: what to do if it is the cause of an error. */
  readonly explanation?: string;
}

async function previousOf({
  previous,
  site,
  kept,
  dryRun,
}: Pick<PluginOptions, 'previous'> & {
  readonly site: string;
  readonly kept: string;
  readonly dryRun: boolean;
}): Promise<PreviousPlace> {
  if (previous === false) return { isKept: false };
  if (typeof previous === 'string') return { place: previous, isKept: false };
  if (previous !== undefined) {
    throw new SettingRefusedError('previous', previous, 'Give an address, a folder, or false.');
  }
  if (isBuildService()) {
    const explanation = ` This build goes on from ${site} because CI is set and \`previous\` is not given. If that site was never published by Tidings, or is not live yet, build once with \`previous: false\`.`;
    return { place: site, isKept: false, explanation };
  }
  const { hasFolder } = await import('../io/files/kept-copy.ts');
  return { ...(hasFolder(kept) && { place: kept }), isKept: !dryRun };
}

/** The name of a folder for one site: readable and unique. */
function placeName({ host, pathname }: URL): string {
  return encodeURIComponent(`${host}${pathname}`.replace(/\/+$/, ''));
}

function unreadError(door: string, failed: readonly { readonly file: string; readonly message: string }[]): Error {
  const named = failed.slice(0, 5).map(({ file, message }) => `\n  ${file}: ${message}`);
  const more = failed.length > 5 ? `\n  … and ${failed.length - 5} more` : '';
  const count = failed.length === 1 ? 'one file' : `${failed.length} files`;
  return pluginError(
    door,
    `${count} could not be read, and their pages stay as they were in the feeds. Mend them and build again before you deploy.${named.join('')}${more}`,
  );
}
