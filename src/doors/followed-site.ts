import { join } from 'node:path';
import { httpDateMs } from '../fetch/response-headers.ts';
import type { TakenPage } from '../follow/fall-changes.ts';
import { type SitePlace, siteFolder } from '../follow/site-place.ts';
import type { OpenedSite, OpenSite, SiteDialect } from '../follow/site-rung.ts';
import type { PageState } from '../hub/store/hub-store.ts';
import { openScratchFolder, removeFolder, type ScratchFolder } from '../io/files/scratch-folder.ts';
import { decodePageRecord, decodePageVisit } from '../log/pages-file.ts';
import type { GivenRules } from '../model/given-rules.ts';
import { sourceIdOf } from '../model/source.ts';
import type { HttpOptions } from './open-http.ts';

export interface FollowedSiteOptions {
  readonly http: HttpOptions;
  /** The state file. The page state is kept beside it. Without it, the page state is deleted at the end. */
  readonly state: string | undefined;
  /** Rules for pages and elements. */
  readonly rules: GivenRules;
  readonly maxPages: number | undefined;
  /** A person confirmed that much is really gone. */
  readonly allowDeletes: boolean;
  /** The dialect that the caller asked for, if any. */
  readonly dialect: string | undefined;
  readonly onStatus: (line: string) => void;
}

export interface FollowedSite extends AsyncDisposable {
  readonly dialect: SiteDialect;
}

const MAX_ID_LENGTH = 64;

/** The names by which a caller asks for the site itself. Events are named after how the pages were found. */
export const SITE_DIALECTS: readonly string[] = ['sitemap', 'pages'];

/** The site itself as the last dialect. Its reader is loaded on first use. */
export function followedSite(options: FollowedSiteOptions): FollowedSite {
  let scratch: Promise<ScratchFolder> | undefined;
  const folder = async (): Promise<string> => {
    if (options.state !== undefined) return `${options.state}.pages`;
    scratch ??= openScratchFolder('tidings-follow');
    return (await scratch).path;
  };
  const reader = async () => {
    const { createSiteReader } = await import('../follow/site-reader.ts');
    const open: OpenSite = async (entry, place, how) =>
      openSite(entry, place, { ...options, ...how, folder: await folder() });
    return createSiteReader({ open, needsSitemap: options.dialect === 'sitemap' });
  };
  return {
    dialect: { name: 'pages', aliases: SITE_DIALECTS, reader },
    async [Symbol.asyncDispose]() {
      await (await scratch)?.[Symbol.asyncDispose]();
    },
  };
}

async function openSite(
  entry: string,
  place: SitePlace,
  options: FollowedSiteOptions & { readonly folder: string; readonly isAnew?: boolean },
): Promise<OpenedSite> {
  const { folder, http, rules, maxPages, allowDeletes, onStatus } = options;
  const { openEmbeddedHub } = await import('./embedded-hub.ts');
  const { kind, url, sitemap } = place;
  const id = sourceIdOf(new URL(url)).slice(0, MAX_ID_LENGTH);
  const data = join(folder, siteFolder(entry, id));
  if (options.isAnew) await removeFolder(data);
  const hub = await openEmbeddedHub({
    ...http,
    data,
    sources: [
      kind === 'page'
        ? { id, kind, urls: [url], ...rules }
        : {
            id,
            kind,
            url,
            ...rules,
            ...(sitemap !== undefined && { sitemap }),
            ...(maxPages !== undefined && { maxPages }),
          },
    ],
    // Each look is a request of the user, so two that agree are enough.
    confirmMs: 0,
    onProgress: (_, pages) => onStatus(`${url}: ${pages === 1 ? '1 page' : `${pages} pages`} read`),
  });
  return {
    changes: (query, signal) => hub.changes(query, signal),
    news: (maxWaitMs, signal) => hub.news(maxWaitMs, signal),
    readPage: (page, signal) => hub.readPage(page, signal),
    async look(signal) {
      if (allowDeletes) await hub.watch.resume(id, { allowDeletes, keepsHostPauses: true });
      const looks = await hub.look(signal);
      return looks.map((look) => ({
        ...look,
        ...(look.message !== undefined && { message: forFollowers(look.message, id) }),
      }));
    },
    foundBy: async () => (kind === 'page' ? undefined : (await hub.store.pagesOf(id)).foundBy),
    found: async () => [...(await hub.store.pagesOf(id)).pages.values()].map(readPageOf),
    standing() {
      const { unread = 0, notes = [], intervalMs = 0 } = hub.watch.source(id)?.health ?? {};
      return { unread, notes, intervalMs };
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

/** The message of a hub names a command of the hub. Replaces it with the one of `follow`. */
function forFollowers(message: string, id: string): string {
  return message.replaceAll(`tidings source resume ${id} --allow-deletes`, 'tidings follow … --once --allow-deletes');
}

function readPageOf({ record }: PageState): TakenPage {
  return { ...decodePageRecord(record), dateMs: httpDateMs(decodePageVisit(record).lastModified) };
}
