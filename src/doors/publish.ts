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
  /** The live site to read instead, from its sitemaps or by its links. Requires `out`. */
  readonly url?: string;
  /** The public address of the site. Optional for a live site. */
  readonly site?: string;
  /** Where the feeds are written. Default: `dir`. */
  readonly out?: string;
  /** Where `log.ndjson` and `pages.ndjson` are kept. Default: `/.well-known/tidings/` of the site. */
  readonly state?: string;
  /** The state to continue from: the live site, or a folder with a copy of it. */
  readonly previous?: string;
  /** The maximum number of pages read from a live site. Default: 10,000. */
  readonly maxPages?: number;
  /** The file with the key of the site's provable log, or its content. Without a key, no log is started. */
  readonly logKey?: string;
  readonly logKeyText?: string;
  /** The witnesses that are asked to cosign the checkpoint: `<vkey>@<url>` each. An unavailable witness does not stop the publish. */
  readonly witnesses?: readonly string[];
  /** Called with remarks for a person that do not stop the publish. */
  readonly onRemark?: (message: string) => void;
}

export const STATE_PATH = '.well-known/tidings';

/**
 * Compares a built or live site with its last publish, and writes the changes as feeds.
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
  // Wrong settings are reported before anything is touched.
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
  // Loaded when needed, like the HTTP client.
  const { liveSource } = await import('../produce/live-source.ts');
  const { gunzip } = await import('../io/zlib/gunzip.ts');
  const { client, pages, http, terms } = ways;
  const source = liveSource({ base, client, pages, gunzip, terms, ...(maxPages !== undefined && { maxPages }) });
  return await publishFrom({ source, dir: undefined, out, site, http }, options);
}

/** The location of files on this machine must not influence the output. */
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
    // If the state is elsewhere, `tidings surface` may still be writing to the folder of the site.
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

/** The publish remains valid even if no witness cosigns. */
async function askWitnesses(prefix: string, options: PublishOptions): Promise<void> {
  const { witnesses = [], onRemark = () => {} } = options;
  if (witnesses.length === 0) return;
  const { cosignFolder, witnessesOf } = await import('./witnesses.ts');
  for (const remark of await cosignFolder(prefix, witnessesOf(witnesses), options)) onRemark(remark);
}

/** An unchanged site was checked before. */
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

/** The file wins if both are given. */
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

/** A drive letter is not a scheme. */
function isUrl(text: string | undefined): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(text ?? '') && canParseUrl(text ?? '');
}
