import { isJsonObject } from './parse-json.ts';
import { isHierarchyOk } from './signals.ts';
import { AIDOCUMENT_NAME, AIDOCUMENT_VERSION } from './wire.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Where each field of 1.0 goes in 2.0 (section 4.4). Fields not listed here, such as `crawl.user_agent`, are dropped. */
const MOVES: readonly (readonly [from: string, group: string, to: string])[] = [
  ['url', 'source', 'url'],
  ['canonical_url', 'source', 'canonical_url'],
  ['crawl.fetched_at', 'source', 'fetched_at'],
  ['crawl.render_mode', 'source', 'render_mode'],
  ['crawl.status_code', 'source', 'status_code'],
  ['title', 'identity', 'title'],
  ['description', 'identity', 'description'],
  ['meta.language', 'identity', 'language'],
  ['markdown', 'content', 'markdown'],
  ['headings', 'structure', 'headings'],
  ['links', 'structure', 'links'],
  ['images', 'structure', 'images'],
  ['structured_data', 'structure', 'structured_data'],
  ['meta.word_count', 'signals', 'word_count'],
  ['meta.reading_time', 'signals', 'reading_time'],
];

/** A document is flat if it has a top-level `url` and no `schema` object (T-AWI-19). */
export function isVersion1(document: Fields): boolean {
  return !isJsonObject(document.schema) && document.url !== undefined;
}

/**
 * Converts a 1.0 document to the shape of 2.0. Values are moved unchecked, and nulls are left out.
 *
 * Fields that 1.0 lacks get the values of a stored document: nothing was fetched in this call, and the signals
 * are derived from the headings and the structured data.
 */
export function migrateToVersion2(flat: Fields): Fields {
  const groups: Record<string, Record<string, unknown>> = {
    schema: { name: AIDOCUMENT_NAME, version: AIDOCUMENT_VERSION },
    source: {},
    cache: { status: 'hit', origin_contacted: false, body_fetched: false },
    identity: {},
    content: {},
    structure: {},
    signals: {},
  };
  const put = (group: string, key: string, value: unknown) => {
    groups[group] = { ...groups[group], [key]: value };
  };
  for (const [from, group, to] of MOVES) {
    const value = valueAt(flat, from);
    if (value !== undefined && value !== null) put(group, to, value);
  }
  put('source', 'freshness_policy', 'cache_first');
  put('signals', 'has_json_ld', isJsonObject(flat.structured_data));
  put('signals', 'heading_hierarchy_ok', isHierarchyOk(levelsOf(flat.headings)));
  return groups;
}

function valueAt(document: Fields, path: string): unknown {
  let value: unknown = document;
  for (const key of path.split('.')) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

function levelsOf(headings: unknown): number[] {
  if (!Array.isArray(headings)) return [];
  return headings.map((heading) => (isJsonObject(heading) && typeof heading.level === 'number' ? heading.level : 0));
}
