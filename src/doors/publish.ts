import { join, resolve } from 'node:path';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { createFileBuiltSite } from '../io/file-built-site.ts';
import { createFileFolder, openFileFolder } from '../io/file-folder.ts';
import { openFileLog } from '../io/file-log.ts';
import { lockStateFolder, removeEmptyFolders } from '../io/file-state-folder.ts';
import type { Place } from '../produce/folder.ts';
import { liveSite, placeBelow } from '../produce/live-site.ts';
import { LOG_FILE } from '../produce/load-state.ts';
import { type ProduceOptions, produce } from '../produce/produce.ts';
import type { PublishReport } from '../produce/publish-report.ts';
import { siteAddress } from '../produce/site-address.ts';
import { type HttpOptions, openHttp } from './open-http.ts';

export interface PublishOptions extends ProduceOptions, HttpOptions {
  /** The folder with the built HTML. */
  readonly dir: string;
  /** Where the feeds are written; `dir` itself when absent. */
  readonly out?: string;
  /** Where `log.ndjson` and `pages.ndjson` are kept; `/.well-known/tidings/` of the site when absent. */
  readonly state?: string;
  /** The live site, or a folder with a copy of it, to go on from. */
  readonly previous?: string;
}

export const STATE_PATH = '.well-known/tidings';

/**
 * Compares a built site with what was published of it and writes what changed, as feeds, into the site.
 *
 * @example
 * const report = await publish({ dir: './site', site: 'https://docs.example/' });
 * console.log(report.changes); // [{ action: 'update', url: 'https://docs.example/pricing', anchor: 'tiers', … }]
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  // What is wrong with these is said before anything is touched.
  siteAddress(options.site, options);
  const built = createFileBuiltSite(options.dir);
  const out = resolve(options.out ?? options.dir);
  const ownState = join(out, STATE_PATH);
  const state = options.state === undefined ? ownState : resolve(options.state);
  await using http = isUrl(options.previous) ? await openHttp(options) : undefined;
  const previous = previousPlace(options, http);

  const lock = options.dryRun ? undefined : await lockStateFolder(state);
  try {
    return await produce(options, {
      built,
      dir: createFileFolder(options.dir),
      out: createFileFolder(out),
      state: createFileFolder(state),
      statePath: state === ownState ? STATE_PATH : undefined,
      otherStates: [
        ...(previous === undefined ? [] : [placeBelow(previous, STATE_PATH)]),
        ...(state === ownState ? [] : [createFileFolder(ownState)]),
      ],
      previous,
      openLog: (site, { logText, changes }) =>
        openFileLog({
          file: join(state, LOG_FILE),
          site: site.href,
          lock,
          known: { text: logText, last: changes.at(-1) },
        }),
    });
  } finally {
    if (lock !== undefined) {
      await lock.release();
      await removeEmptyFolders(state, out);
    }
  }
}

function previousPlace({ previous, signal }: PublishOptions, http: HttpClient | undefined): Place | undefined {
  if (previous === undefined) return undefined;
  if (http === undefined) return openFileFolder(previous);
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
  return /^[a-z][a-z0-9+.-]+:/i.test(text ?? '') && URL.canParse(text ?? '');
}
