import { feedFactsOf, jsonFieldsOf } from '../../../codecs/diffdelta/seen.ts';
import { DIFFDELTA_DISCOVERY_PATH } from '../../../codecs/diffdelta/wire.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { isRecord } from '../../../codecs/primitives/json-record.ts';
import type { SeenDocument } from '../../../codecs/primitives/seen-document.ts';

/** What to check: a service, and perhaps one source of it. */
export interface DiffDeltaTarget {
  /** The root URL of the service. A folder gets a placeholder. */
  readonly root: URL;
  /** Set if the manifest itself was named. */
  readonly manifest?: URL;
  /** The id of the source, if a single one was named. */
  readonly source?: string;
}

/** The URLs of the documents of a service. */
export interface CheckedPlaces {
  readonly globalUrl: URL;
  readonly globalHeadUrl: URL;
  readonly schemaUrl: URL;
  headUrl(source: string): URL;
  latestUrl(source: string): URL;
  /** The sources that the manifest lists. */
  readonly listed: readonly string[];
}

const FEED_PATH = /^(.*\/)diff\/(?:(?:source\/)?([^/]+)\/)?(?:head|latest)\.json$/;
const FOLDER_ROOT = 'http://folder/';

/** `url` is undefined for a folder. It may be the URL of a site, a page, a manifest, a head or a feed. */
export function diffDeltaTarget(url: URL | undefined): DiffDeltaTarget {
  if (url === undefined) return { root: new URL(FOLDER_ROOT) };
  if (url.pathname.endsWith(DIFFDELTA_DISCOVERY_PATH)) {
    const root = new URL(url.pathname.slice(0, -DIFFDELTA_DISCOVERY_PATH.length + 1), url);
    return { root, manifest: new URL(url.pathname + url.search, url) };
  }
  const [, root, source] = FEED_PATH.exec(url.pathname) ?? [];
  if (root === undefined) return { root: new URL('.', new URL(url.pathname, url)) };
  return { root: new URL(root, url), ...(source !== undefined && { source: decoded(source) }) };
}

/** Whether the URL has the form that §1 gives to heads and feeds. */
export function isFeedUrl({ pathname }: URL): boolean {
  return FEED_PATH.test(pathname);
}

/** The places that the manifest states, or else those of §1. `base` is where the manifest was read. */
export function placesOf(manifest: SeenDocument, base: URL, root: URL): CheckedPlaces {
  const fields = jsonFieldsOf(manifest) ?? {};
  const endpoints = isRecord(fields.endpoints) ? fields.endpoints : {};
  const schemas = isRecord(endpoints.schemas) ? endpoints.schemas : {};
  const at = (value: unknown, fallback: string): URL => resolved(value, base) ?? new URL(fallback, root);
  const template = templateOf(endpoints.diff_by_source_template, base) ?? `${root.href}diff/{source}/latest.json`;
  const sibling = /latest\.json$/.test(template) ? template.replace(/latest\.json$/, 'head.json') : undefined;
  const headTemplate =
    templateOf(endpoints.diff_head_by_source_template, base) ?? sibling ?? `${root.href}diff/{source}/head.json`;
  const { sources_supported: listed } = fields;
  return {
    globalUrl: at(endpoints.diff_latest, 'diff/latest.json'),
    globalHeadUrl: at(endpoints.diff_head, 'diff/head.json'),
    schemaUrl: at(schemas.diff, 'schema/v1/diff.schema.json'),
    headUrl: (source) => filled(headTemplate, source),
    latestUrl: (source) => filled(template, source),
    listed: Array.isArray(listed) ? [...new Set(listed.filter(isId))] : [],
  };
}

/** The sources that a feed of all sources names. */
export function sourcesIn(feed: SeenDocument | undefined): readonly string[] {
  return (feedFactsOf(feed)?.sources ?? []).filter(isId);
}

/** An absolute http(s) URL, or undefined. */
export function resolved(value: unknown, base: URL): URL | undefined {
  if (typeof value !== 'string' || value === '' || !canParseUrl(value, base.href)) return undefined;
  const url = new URL(value, base);
  url.hash = '';
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

const HOLE = /\{source(?:_id)?\}|%7Bsource(?:_id)?%7D/gi;

/** An absolute template with `{source}`; undefined if it has no such placeholder. */
function templateOf(value: unknown, base: URL): string | undefined {
  if (typeof value !== 'string' || value.search(HOLE) === -1) return undefined;
  return resolved(value, base)?.href.replace(HOLE, '{source}');
}

function filled(template: string, source: string): URL {
  return new URL(template.replaceAll('{source}', () => encodeURIComponent(source)));
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.isWellFormed();
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
