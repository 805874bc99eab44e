import { refused } from '../config/setting-decoders.ts';
import type { SourceConfig } from '../config/source-config.ts';
import { placeText } from './place-text.ts';
import { createIdMaker } from './source-guess.ts';
import type { ImportOptions, ImportReading, SkippedSource } from './source-import.ts';

export interface ImportPlan {
  readonly added: readonly SourceConfig[];
  /** What the hub watches already. */
  readonly existing: readonly SkippedSource[];
  readonly skipped: readonly SkippedSource[];
}

export interface PlanOptions extends Pick<ImportOptions, 'dialectOf'> {
  readonly watched: readonly SourceConfig[];
  /** Throws a {@link SettingRefusedError} that names its position. */
  readonly decode: (source: unknown, where: string) => SourceConfig;
}

/** Until it has its own. */
const NO_ID = 'x';

/**
 * Decides which of the found sources are new, and gives each a unique id. Sources with an id are recognised by it, the rest by what is read. Throws if one of
 * them is invalid: then none is added.
 */
export function planImport({ found, skipped }: ImportReading, { watched, decode, dialectOf }: PlanOptions): ImportPlan {
  const entries = found.map(({ where, source }) => entryOf(source, where, decode));
  ensureOwnIds(entries);
  const ids = new Set(watched.map(({ id }) => id));
  const idOfPlace = new Map(watched.map((source) => [placeKey(source, dialectOf), source.id]));
  const makeId = createIdMaker([...ids, ...entries.flatMap(({ hasId, source }) => (hasId ? [source.id] : []))]);

  const added: SourceConfig[] = [];
  const existing: SkippedSource[] = [];
  const twice: SkippedSource[] = [];
  const places = new Set<string>();
  for (const { hasId, source } of entries) {
    const key = placeKey(source, dialectOf);
    const what = placeText(source);
    const watchedAs = hasId ? (ids.has(source.id) ? source.id : undefined) : idOfPlace.get(key);
    if (watchedAs !== undefined) existing.push({ what, reason: `watched already, as ${watchedAs}` });
    else if (!hasId && places.has(key)) twice.push({ what, reason: 'twice in the list' });
    else added.push(hasId ? source : { ...source, id: makeId(addressOf(source)) });
    places.add(key);
  }
  return { added, existing, skipped: [...skipped, ...twice] };
}

interface Entry {
  readonly where: string;
  readonly hasId: boolean;
  readonly source: SourceConfig;
}

function entryOf(source: unknown, where: string, decode: PlanOptions['decode']): Entry {
  const hasId = typeof source !== 'object' || source === null || Object.hasOwn(source, 'id');
  return { where, hasId, source: decode(hasId ? source : { id: NO_ID, ...source }, where) };
}

function ensureOwnIds(entries: readonly Entry[]): void {
  const places = new Map<string, string>();
  for (const { where, hasId, source } of entries) {
    if (!hasId) continue;
    const earlier = places.get(source.id);
    if (earlier !== undefined) throw refused(`${where}: id`, source.id, `It is the id of ${earlier}, too.`);
    places.set(source.id, where);
  }
}

/** What is read, whatever it is called. */
function placeKey(source: SourceConfig, dialectOf: PlanOptions['dialectOf']): string {
  switch (source.kind) {
    case 'folder':
      return `folder ${source.path}`;
    case 'page':
      return `page ${source.urls.join(' ')}`;
    case 'auto':
      return `auto ${source.url}`;
    case 'site':
      return `site ${source.url} ${source.sitemap ?? ''}`;
    case 'feed':
      return `feed ${dialectOf(source.dialect) ?? source.dialect} ${source.url}`;
  }
}

/** The address that an id can be made of. */
function addressOf(source: SourceConfig): URL {
  switch (source.kind) {
    case 'folder':
      return new URL(source.site);
    case 'page':
      return new URL(source.urls[0] ?? '');
    default:
      return new URL(source.url);
  }
}
