import { type Decode, fieldsOf, flag, listOf, oneOf, refused, text } from '../config/setting-decoders.ts';
import type { SourceConfig } from '../config/source-config.ts';
import { problem } from '../http/problem.ts';
import type { HubResponse } from '../http/route.ts';
import { uncachedJson } from '../http/small-answer.ts';
import type { JobBoard } from '../jobs/job-board.ts';
import { IMPORT_FORMATS, type ImportOptions, readImport, type SkippedSource } from '../source-lists/source-import.ts';
import { planImport } from '../source-lists/source-import-plan.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import type { Watch } from '../watch/watch-port.ts';

export interface ImportParts extends Pick<ImportOptions, 'dialectOf'> {
  readonly watch: Pick<Watch, 'source' | 'sources' | 'add'>;
  readonly decode: Decode<SourceConfig>;
  /** Shows a long import. */
  readonly jobs?: JobBoard | undefined;
}

const MAX_SOURCES = 10_000;
const MAX_LIST = 900_000;

/** JSON Schema of the body of {@link importSources}. */
export const IMPORT_BODY = {
  type: 'object',
  properties: {
    sources: { type: 'array', items: { $ref: '#/components/schemas/SourceConfig' }, minItems: 1 },
    list: { type: 'string', description: 'Instead of sources: OPML, a sitemap, one URL per line, or an export.' },
    format: { enum: IMPORT_FORMATS, description: 'The format of list. Absent: detected from its content.' },
    skipExisting: { type: 'boolean' },
    dryRun: { type: 'boolean', description: 'Report what would be added, without adding anything.' },
  },
  additionalProperties: false,
};

/** Adds all sources of the body, or none if one is malformed, exists or cannot be stored. */
export async function importSources(body: unknown, parts: ImportParts): Promise<HubResponse> {
  const shape = {
    sources: listOf(parts.decode, { least: 1, most: MAX_SOURCES }),
    list: text(MAX_LIST),
    format: oneOf(IMPORT_FORMATS),
    skipExisting: flag,
    dryRun: flag,
  };
  const { sources, list, format, skipExisting = false, dryRun = false } = fieldsOf(shape, body, '');
  if ((sources === undefined) === (list === undefined)) {
    throw refused('sources', undefined, `Give a list of 1 to ${MAX_SOURCES} sources, or a text as list.`);
  }
  const wanted = sources === undefined ? ofList(list ?? '', format, parts) : ofSources(sources, parts);
  if ('status' in wanted) return wanted;
  const { fresh, existing, skipped } = wanted;
  if (existing.length > 0 && !skipExisting && !dryRun) return duplicates(existing, 'watched already');
  if (!dryRun) await added(fresh, parts);
  return uncachedJson(dryRun ? 200 : 201, {
    added: fresh.map(({ id }) => id),
    existing,
    ...(skipped.length > 0 && { skipped }),
    ...(dryRun && { dryRun, sources: fresh }),
  });
}

/** In one step: all of them, or none. */
async function added(fresh: readonly SourceConfig[], { watch, jobs }: ImportParts): Promise<void> {
  const add = async () => void (await watch.add(fresh));
  await (jobs?.run({ what: 'Import', unit: 'sources', total: fresh.length }, add) ?? add());
  const doneNow = () => fresh.filter(({ id }) => !isWaiting(watch.source(id))).length;
  jobs?.follow({ what: 'First reading of what was imported', unit: 'sources', total: fresh.length, doneNow });
}

/** Not checked yet, and not paused. */
function isWaiting(source: WatchedSource | undefined): boolean {
  return source !== undefined && source.paused === undefined && source.health.lastCheckMs === undefined;
}

interface WantedSources {
  readonly fresh: readonly SourceConfig[];
  /** By id, or by address. */
  readonly existing: readonly string[];
  readonly skipped: readonly SkippedSource[];
}

function ofSources(sources: readonly SourceConfig[], { watch }: ImportParts): WantedSources | HubResponse {
  const ids = new Set(sources.map(({ id }) => id));
  if (ids.size < sources.length) return duplicates(doubled(sources), 'in the list twice');
  const existing = [...ids].filter((id) => watch.source(id) !== undefined);
  const passedOver = new Set(existing);
  return { fresh: sources.filter(({ id }) => !passedOver.has(id)), existing, skipped: [] };
}

function ofList(
  list: string,
  format: ImportOptions['format'],
  { watch, decode, dialectOf }: ImportParts,
): WantedSources {
  const bytes = new TextEncoder().encode(list);
  const reading = readImport(bytes, { file: 'The list', dialectOf, ...(format !== undefined && { format }) });
  const many = reading.found.length;
  if (many > MAX_SOURCES) throw refused('list', `(${many} sources)`, `Give at most ${MAX_SOURCES}.`);
  const plan = planImport(reading, {
    watched: watch.sources().map(({ config }) => config),
    decode: (source, where) => decode(source, `list ${where}: `),
    dialectOf,
  });
  const known = plan.existing.map(({ what }) => what);
  return { fresh: plan.added, existing: [...new Set(known)], skipped: plan.skipped };
}

function doubled(sources: readonly SourceConfig[]): string[] {
  const seen = new Set<string>();
  const twice = sources.filter(({ id }) => seen.size === seen.add(id).size).map(({ id }) => id);
  return [...new Set(twice)];
}

function duplicates(existing: readonly string[], how: string): HubResponse {
  const named = existing.slice(0, 10).join(', ') + (existing.length > 10 ? ` and ${existing.length - 10} more` : '');
  return problem({
    status: 409,
    detail: `Nothing was added: ${named} ${existing.length === 1 ? 'is' : 'are'} ${how}. With skipExisting, those that are watched are passed over.`,
    existing,
  });
}
