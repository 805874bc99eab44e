import { join, resolve } from 'node:path';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { siteAddress } from '../crawl/site-address.ts';
import type { LogSigner } from '../dialects/projection-settings.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { liveDumpsRefused } from '../dialects/resourcesync/publish/dump-settings.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { createFileBuiltSite } from '../io/files/built-site.ts';
import { createFileFolder, openFileFolder } from '../io/files/folder.ts';
import { readPackageAsset } from '../io/node/package-assets.ts';
import { packageVersion } from '../io/node/package-version.ts';
import { randomNonce, randomToken } from '../io/node/random-token.ts';
import type { WriterLock } from '../io/sqlite/writer-lock.ts';
import { openFileLog } from '../io/state/log.ts';
import { lockStateFolder, removeEmptyFolders } from '../io/state/state-folder.ts';
import { deflate } from '../io/zlib/deflate.ts';
import type { Folder, Place } from '../model/folder.ts';
import { builtSource } from '../produce/built-source.ts';
import { liveSite, placeBelow } from '../produce/live-site.ts';
import { LOG_FILE } from '../produce/load-state.ts';
import { produce } from '../produce/produce.ts';
import type { ProduceOptions } from '../produce/produce-options.ts';
import type { PublishReport } from '../produce/publish-report.ts';
import type { SiteSource } from '../produce/site-source.ts';
import { HEADERS_FILE } from '../produce/static-host.ts';
import { type HttpOptions, openHttp, openPolite } from './open-http.ts';

export type { PublishReport };

export interface PublishOptions extends Omit<ProduceOptions, 'site' | 'logSigner'>, HttpOptions {
  /** The folder with the built HTML. */
  readonly dir?: string;
  /** The live site to read instead, from its sitemaps or by its links. Then `out` must be given. */
  readonly url?: string;
  /** The public address of the site. May be left out for a live site, which has one. */
  readonly site?: string;
  /** Where the feeds are written; `dir` itself when absent. */
  readonly out?: string;
  /** Where `log.ndjson` and `pages.ndjson` are kept; `/.well-known/tidings/` of the site when absent. */
  readonly state?: string;
  /** The live site, or a folder with a copy of it, to go on from. */
  readonly previous?: string;
  /** So many pages of a live site are read, and no more; 10,000 unless said otherwise. */
  readonly maxPages?: number;
  /** The file with the key of the site's provable log, or what stands in it. Without one no log is begun. */
  readonly logKey?: string;
  readonly logKeyText?: string;
  /** Whom the checkpoint is sent to, to be cosigned: `<vkey>@<url>` each. One that is away delays nothing. */
  readonly witnesses?: readonly string[];
  /** Called with what a person should know and what stops nothing. */
  readonly onRemark?: (message: string) => void;
}

export const STATE_PATH = '.well-known/tidings';

/**
 * Compares a site, built or live, with what was published of it and writes what changed, as feeds.
 *
 * @example
 * const report = await publish({ dir: './site', site: 'https://docs.example/' });
 * console.log(report.changes); // [{ action: 'update', url: 'https://docs.example/pricing', anchor: 'tiers', … }]
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const target = options.url ?? options.dir ?? '';
  return options.url !== undefined || isUrl(target)
    ? await publishLive(target, options)
    : await publishFolder(target, options);
}

async function publishFolder(dir: string, options: PublishOptions): Promise<PublishReport> {
  if (options.site === undefined) {
    throw new SettingRefusedError(
      'site',
      '(not given)',
      'Give the public address of the site, like https://docs.example/',
    );
  }
  // What is wrong with these is said before anything is touched.
  siteAddress(options.site, options);
  const source = builtSource(createFileBuiltSite(dir));
  await using http = isUrl(options.previous) ? await openHttp(options) : undefined;
  const { site, out = dir } = options;
  return await publishFrom({ source, dir: createFileFolder(dir), out, site, http }, options);
}

async function publishLive(url: string, options: PublishOptions): Promise<PublishReport> {
  const { site = url, out, maxPages } = options;
  siteAddress(site, options);
  const base = siteAddress(url, { force: true });
  if (options.dumps) throw liveDumpsRefused();
  if (out === undefined) {
    throw new SettingRefusedError('out', '(not given)', 'Give the folder to write the feeds of a live site into.');
  }
  if (maxPages !== undefined && !(Number.isSafeInteger(maxPages) && maxPages > 0)) {
    throw new SettingRefusedError('max-pages', maxPages, 'Give a whole number of pages, 1 or more.');
  }
  await using ways = await openPolite(options);
  // Loaded when it is needed, as the way out is.
  const { liveSource } = await import('../produce/live-source.ts');
  const { gunzip } = await import('../io/zlib/gunzip.ts');
  const { client, pages, http, terms } = ways;
  const source = liveSource({ base, client, pages, gunzip, terms, ...(maxPages !== undefined && { maxPages }) });
  return await publishFrom({ source, dir: undefined, out, site, http }, options);
}

/** Where things lie on this machine makes no difference to what is made of them. */
const NO_PLACES = {
  ...{ dir: undefined, url: undefined, out: undefined, state: undefined, previous: undefined },
  ...{ logKey: undefined, logKeyText: undefined, witnesses: undefined },
};

interface Publishing {
  readonly source: SiteSource;
  readonly dir: Folder | undefined;
  readonly out: string;
  readonly site: string;
  readonly http: HttpClient | undefined;
}

async function publishFrom({ source, dir, site, http, ...paths }: Publishing, options: PublishOptions) {
  const out = resolve(paths.out);
  const ownState = join(out, STATE_PATH);
  const state = options.state === undefined ? ownState : resolve(options.state);
  const previous = previousPlace(options, http);
  const logSigner = await logSignerOf(options);

  const lock = options.dryRun ? undefined : await lockStateFolder(state);
  let outLock: WriterLock | undefined;
  try {
    // Where the state is elsewhere, `tidings surface` may still be writing to the folder of the site.
    if (lock !== undefined && state !== ownState) outLock = await lockStateFolder(ownState);
    const report = await produce(
      { ...options, ...NO_PLACES, site, ...(logSigner !== undefined && { logSigner }) },
      {
        dialects: DIALECTS,
        source,
        dir,
        out: createFileFolder(out),
        state: createFileFolder(state),
        statePath: state === ownState ? STATE_PATH : undefined,
        otherStates: [
          ...(previous === undefined ? [] : [placeBelow(previous, STATE_PATH)]),
          ...(state === ownState ? [] : [createFileFolder(ownState)]),
        ],
        previous,
        deflate,
        assetText: (name) => Buffer.from(readPackageAsset(name)).toString(),
        nonce: randomNonce,
        salt: randomToken,
        version: packageVersion(),
        now: Date.now,
        openLog: (address, { logParts, changes }) =>
          openFileLog({
            file: join(state, LOG_FILE),
            site: address.href,
            lock,
            known: { parts: logParts, last: changes.at(-1) },
            maxBytes: options.stateBytes,
          }),
      },
    );
    if (!options.dryRun) {
      await askWitnesses(ownState, options);
      await tellHostLimits(out, report, options);
    }
    return report;
  } finally {
    await outLock?.release();
    await lock?.release();
    if (lock !== undefined) for (const folder of [state, ownState]) await removeEmptyFolders(folder, out);
  }
}

/** What was published stays whoever cosigns. */
async function askWitnesses(prefix: string, options: PublishOptions): Promise<void> {
  const { witnesses = [], onRemark = () => {} } = options;
  if (witnesses.length === 0) return;
  const { cosignFolder, witnessesOf } = await import('./witnesses.ts');
  for (const remark of await cosignFolder(prefix, witnessesOf(witnesses), options)) onRemark(remark);
}

/** A site that did not change was looked at before. */
async function tellHostLimits(
  out: string,
  { artifacts, changes }: PublishReport,
  options: PublishOptions,
): Promise<void> {
  if (options.onRemark === undefined || changes.length === 0) return;
  const { filesBelow } = await import('../io/files/list-files.ts');
  const { hostLimitRemarks } = await import('../produce/host-limits.ts');
  const folder = createFileFolder(out);
  const sizes = new Map(artifacts.map((path) => [path, folder.sizeOf(path) ?? 0]));
  const headers = Buffer.from((await folder.read(HEADERS_FILE)) ?? []).toString('latin1');
  for (const remark of hostLimitRemarks({ files: filesBelow(out).length, sizes, headers })) options.onRemark(remark);
}

/** Of the file rather than of the text, where both are given. */
async function logSignerOf({ logKey, logKeyText }: PublishOptions): Promise<LogSigner | undefined> {
  if (logKey === undefined && logKeyText === undefined) return undefined;
  const { readLogKey, signerIn } = await import('../io/files/log-key.ts');
  return logKey === undefined ? signerIn(logKeyText ?? '', 'TIDINGS_LOG_KEY') : await readLogKey(logKey);
}

function previousPlace({ previous, signal }: PublishOptions, http: HttpClient | undefined): Place | undefined {
  if (previous === undefined) return undefined;
  if (http === undefined || !isUrl(previous)) return openFileFolder(previous);
  const base = new URL(previous);
  if (/^https?:$/.test(base.protocol) && base.search === '' && base.hash === '') {
    return liveSite(http, siteAddress(previous, { force: true }), signal);
  }
  throw new SettingRefusedError(
    'previous',
    previous,
    'Give the base URL of the live site, or a folder with a copy of it.',
  );
}

/** A drive letter is no scheme. */
function isUrl(text: string | undefined): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(text ?? '') && canParseUrl(text ?? '');
}
