import { join } from 'node:path';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import {
  type HarvestedCollection,
  type HarvestProblem,
  harvestSite,
} from '../dialects/resourcesync/harvest/harvest.ts';
import { metadataIn } from '../dialects/resourcesync/read/metadata.ts';
import { ensureOnSite } from '../dialects/resourcesync/read/open-document.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { createFileFolder, explainWriteError } from '../io/files/folder.ts';
import { makeFolder } from '../io/files/make-folder.ts';
import { wait } from '../io/node/timer-wait.ts';
import { openSqliteFollowState } from '../io/sqlite/follow-state.ts';
import { gunzip } from '../io/zlib/gunzip.ts';
import { type HttpOptions, openPolite, type PoliteWays } from './open-http.ts';

export type { HarvestedCollection, HarvestProblem } from '../dialects/resourcesync/harvest/harvest.ts';

export interface HarvestOptions extends HttpOptions {
  /** The address of the site: `https://example.com/`. */
  readonly site: string;
  /** The folder for `site.atom` and a feed for each collection. */
  readonly out: string;
  /** An SQLite file that remembers what was seen. Default: `.harvest.db` in `out`. */
  readonly state?: string;
  /** The Source Description, if it is not at `/.well-known/resourcesync`. */
  readonly description?: string;
  /** Read only this collection: the URL that it describes. */
  readonly collection?: string;
  /** For new collections: remember their present state, and report only later changes. */
  readonly fromNow?: boolean;
  /** Where `out` is served: feeds then name their own address, and long ones get archives. */
  readonly base?: string;
  /** The maximum number of pages named in an entry. Default: 100. */
  readonly maxListed?: number;
  /** The number of changed pages to fetch for their titles. Default: none. */
  readonly titles?: number;
  readonly signal?: AbortSignal;
  /** One line about the current step, for a person. */
  readonly onStatus?: (line: string) => void;
}

export interface HarvestReport {
  /** The collections that were read. `feed` is the path of the file. */
  readonly collections: readonly HarvestedCollection[];
  /** What could not be read or written, and what the author has to fix. */
  readonly errors: readonly HarvestProblem[];
  /** Remarks about the documents that lead to the collections, and about the feeds. */
  readonly notes: readonly string[];
  /** Whether everything was read. */
  readonly isComplete: boolean;
}

const STATE_FILE = '.harvest.db';
const MAX_TITLE_WAIT_MS = 10_000;

/**
 * Turns the ResourceSync of a site into Atom feeds: one for each of its collections and one for all, with one entry for each check
 * that found something new.
 *
 * What cannot be read is an error in the report and changes nothing; the rest is still processed. Throws a {@link TidingsError} for invalid options, a state in
 * use, feeds that were made with another state, and a folder that cannot be written.
 *
 * @example
 * const { collections } = await harvest({ site: 'https://example.com/', out: 'feeds' });
 * for (const { describes, changes, feed } of collections) console.log(describes, changes, feed);
 */
export async function harvest(options: HarvestOptions): Promise<HarvestReport> {
  const { out, onStatus, maxListed } = options;
  const url = urlOf('site', options.site);
  const description = options.description === undefined ? undefined : urlOf('description', options.description);
  const base = options.base === undefined ? undefined : folderUrl(urlOf('base', options.base));
  if (options.collection !== undefined && !canParseUrl(options.collection)) {
    throw new SettingRefusedError('collection', options.collection, 'Give the URL that the collection describes.');
  }
  const signal = options.signal ?? new AbortController().signal;
  makeOut(out);
  await using state = await openSqliteFollowState({ file: options.state ?? join(out, STATE_FILE) });
  await using ways = await openPolite(options);
  const { collections, ...others } = await harvestSite(
    {
      url,
      ...(description !== undefined && { description }),
      ...(options.collection !== undefined && { collection: options.collection }),
      isFromNow: options.fromNow ?? false,
      maxTitles: options.titles ?? 0,
    },
    {
      http: ways.http,
      gunzip,
      signal,
      now: Date.now,
      wait,
      ...(options.timeoutMs !== undefined && { limits: { deadlineMs: options.timeoutMs } }),
      state,
      feeds: {
        folder: createFileFolder(out),
        changes: (after) => state.changes(after),
        ...(base !== undefined && { base }),
        ...(maxListed !== undefined && { maxListed }),
      },
      titleOf: (page) => titleOf(page, ways, { sites: description === undefined ? [url] : [url, description], signal }),
      ...(onStatus !== undefined && { onStatus }),
    },
  );
  return { collections: collections.map((each) => ({ ...each, feed: join(out, each.feed) })), ...others };
}

/** A page without a title, or one that cannot be fetched, is named by its address. */
async function titleOf(
  page: string,
  { pages }: PoliteWays,
  { sites, signal }: { readonly sites: readonly URL[]; readonly signal: AbortSignal },
): Promise<string | undefined> {
  try {
    const live = await pages.read({
      url: new URL(page),
      signal,
      maxWaitMs: MAX_TITLE_WAIT_MS,
      beforeHop: async (hop) => ensureOnSite(page, hop, sites),
    });
    return live.kind === 'page' ? metadataIn(live.text).title : undefined;
  } catch (error) {
    if (error instanceof TidingsError && !signal.aborted) return undefined;
    throw error;
  }
}

/** The server of the feeds must be able to read the folder. */
function makeOut(out: string): void {
  try {
    makeFolder(out, 0o755);
  } catch (error) {
    throw explainWriteError(out, error);
  }
}

function urlOf(setting: string, text: string): URL {
  const url = canParseUrl(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SettingRefusedError(setting, text, 'Give an absolute http(s) URL.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new SettingRefusedError(setting, url.host, 'Leave the user name and the password out of the URL.');
  }
  url.hash = '';
  return url;
}

function folderUrl(url: URL): URL {
  url.search = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}
