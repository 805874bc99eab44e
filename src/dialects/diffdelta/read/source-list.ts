import type { DecodedDiscovery } from '../../../codecs/diffdelta/decode-discovery.ts';
import { type DecodedListedSource, decodeSourceList } from '../../../codecs/diffdelta/decode-sources.ts';
import { HostPausedError } from '../../../errors/crawl-error.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { FetchAbortedError } from '../../../errors/fetch-error.ts';
import { TidingsError } from '../../../errors/tidings-error.ts';
import { warn } from '../../diagnostic.ts';
import { isNothing, reasonOf } from '../../no-offer.ts';
import { type Access, ensureDecoded, getDocument, sameOriginUrl } from './diffdelta-access.ts';
import type { KnownSourceList } from './diffdelta-memory.ts';

const MAX_LIST_BYTES = 8 * 1024 * 1024;
/** Sources seldom come and go, while the list of a running service changes with each of its runs. */
const REREAD_AFTER_MS = 60 * 60_000;
const MAX_SHOWN = 20;

export interface ListQuestion {
  readonly manifest: DecodedDiscovery;
  /** Where the manifest was found. */
  readonly base: URL;
  readonly known: KnownSourceList | undefined;
}

/**
 * Reads the separate list of sources that a manifest names. A difference between the two is reported once. If the list cannot be
 * read, the known list stays.
 */
export async function readListedSources(
  { manifest, base, known }: ListQuestion,
  access: Access,
): Promise<KnownSourceList | undefined> {
  const { diff_sources: named } = manifest.endpoints;
  const url = named === undefined ? undefined : sameOriginUrl(named, base);
  if (url === undefined) return undefined;
  const { ports } = access;
  const before = known?.url === url ? known : undefined;
  if (before !== undefined && ports.now() - before.atMs < REREAD_AFTER_MS) return before;
  const sources = await listedSources(url, before, access);
  if (sources === 'unread') return before;
  if (sources === 'unchanged') return before && { ...before, atMs: ports.now() };
  const difference = differenceOf(manifest.sources_supported ?? [], sources.listed, { base, url });
  if (difference !== undefined && difference !== before?.difference) warn(ports, 'source-status', difference);
  const { validators, listed } = sources;
  return { url, atMs: ports.now(), validators, listed, ...(difference !== undefined && { difference }) };
}

/** All sources that are named and not disabled, those of the manifest first. Without a list, all of the manifest. */
export function reconciledSources(supported: readonly string[], list: KnownSourceList | undefined): readonly string[] {
  const enabled = list?.listed.filter(({ isEnabled }) => isEnabled).map(({ id }) => id) ?? [];
  return [...new Set([...supported, ...enabled])];
}

/** The URL of the feed of each source, according to the list. */
export function listedPlaces(list: KnownSourceList | undefined): ReadonlyMap<string, string> {
  if (list === undefined) return new Map();
  const base = new URL(list.url);
  return new Map(
    list.listed.flatMap(({ id, latestUrl }) => {
      const url = latestUrl === undefined ? undefined : sameOriginUrl(latestUrl, base);
      return url === undefined ? [] : [[id, url] as const];
    }),
  );
}

type ListAnswer = Pick<KnownSourceList, 'listed' | 'validators'> | 'unchanged' | 'unread';

async function listedSources(url: string, before: KnownSourceList | undefined, access: Access): Promise<ListAnswer> {
  try {
    const question = { maxBytes: MAX_LIST_BYTES, validators: before?.validators };
    const document = await getDocument(url, question, access);
    if (document === 'unchanged') return document;
    const listed = ensureDecoded(decodeSourceList(document.text), url, 'list of sources');
    return { listed, validators: document.validators };
  } catch (error) {
    if (isGone(error)) return { listed: [], validators: {} };
    if (!isOfList(error) || access.ports.signal.aborted) throw error;
    const message = `${reasonOf(error)}. The sources that are known without it are read.`;
    warn(access.ports, 'source-status', message);
    return 'unread';
  }
}

function isGone(error: unknown): boolean {
  return error instanceof FeedUnreadableError && (error.status === 404 || error.status === 410);
}

/** Errors that affect only the list. After a request for a pause, nothing else is requested either. */
function isOfList(error: unknown): error is TidingsError {
  if (!(error instanceof TidingsError) || error instanceof FetchAbortedError) return false;
  if (error instanceof HostPausedError) return false;
  if (error instanceof FeedUnreadableError && error.retryAfterMs !== undefined) return false;
  return error.recovery === 'retry-later' || isNothing(error);
}

function differenceOf(
  supported: readonly string[],
  listed: readonly DecodedListedSource[],
  { base, url }: { readonly base: URL; readonly url: string },
): string | undefined {
  if (listed.length === 0) return undefined;
  const enabled = new Map(listed.map(({ id, isEnabled }) => [id, isEnabled]));
  const named = new Set(supported);
  const more = listed.filter(({ id, isEnabled }) => isEnabled && !named.has(id)).map(({ id }) => id);
  const unlisted = supported.filter((id) => !enabled.has(id));
  const disabled = supported.filter((id) => enabled.get(id) === false);
  const parts = [
    more.length > 0 && `${url} has ${more.length} more that are enabled (${namesOf(more)})`,
    unlisted.length > 0 &&
      `${unlisted.length} of them ${unlisted.length > 1 ? 'are' : 'is'} not in ${url} (${namesOf(unlisted)})`,
    disabled.length > 0 &&
      `${disabled.length} of them ${disabled.length > 1 ? 'are' : 'is'} disabled there (${namesOf(disabled)})`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  const all = supported.length + more.length;
  return `${base.href} names ${supported.length} sources; ${parts.join('; ')}. All ${all} are read.`;
}

function namesOf(ids: readonly string[]): string {
  const names = ids.slice(0, MAX_SHOWN).map((id) => JSON.stringify(id.slice(0, 100)));
  return names.join(', ') + (ids.length > MAX_SHOWN ? ` and ${ids.length - MAX_SHOWN} more` : '');
}
