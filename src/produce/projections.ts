import type { Dialect } from '../dialects/dialect.ts';
import type {
  GrownSite,
  LoadedProjection,
  ParsedPage,
  Projected,
  Projection,
  ProjectionOptions,
  ProjectionPlaces,
  ProjectionTools,
} from '../dialects/projection.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { Marks } from '../log/pages-file.ts';
import type { Change, ChangeDraft } from '../model/change.ts';
import { withSalts } from '../tlog/with-salts.ts';
import { fewRules } from './few-rules.ts';
import type { PublishedState } from './load-state.ts';
import type { ProduceOptions } from './produce-options.ts';

/** A projection, and whether this publish wants it. */
export interface WantedProjection {
  readonly projection: Projection;
  readonly options: ProjectionOptions;
}

/** A projection that is loaded. */
export interface OpenProjection extends WantedProjection {
  readonly publication: LoadedProjection;
}

/**
 * The projections of all dialects, chosen or not, except those on request that were not requested. Throws a {@link SettingRefusedError} for settings
 * that cannot work.
 */
export async function wantProjections(
  dialects: readonly Dialect[],
  settings: Omit<ProduceOptions, 'site'> & { readonly site: URL },
  tools: ProjectionTools,
): Promise<readonly WantedProjection[]> {
  const { ttlSeconds } = settings;
  const formats = formatsOf(dialects, settings.formats);
  if (ttlSeconds !== undefined && !(Number.isSafeInteger(ttlSeconds) && ttlSeconds >= 0)) {
    throw new SettingRefusedError('ttl', ttlSeconds, 'Give a whole number of seconds, 0 or more.');
  }
  const parts = dialects.map(async ({ name, projection, isOnRequest }) => {
    const isChosen = formats.includes(name);
    if (projection === undefined || (isOnRequest && !isChosen)) return [];
    return [{ projection: await projection(), options: { ...settings, isChosen } }];
  });
  const wanted = (await Promise.all(parts)).flat();
  for (const { projection, options } of wanted) projection.ensure?.(options, tools);
  return wanted;
}

function formatsOf(dialects: readonly Dialect[], given: readonly string[] | undefined): readonly string[] {
  const published = dialects.filter(({ projection }) => projection !== undefined);
  const names = published.map(({ name }) => name);
  const formats = given ?? published.filter(({ isOnRequest }) => !isOnRequest).map(({ name }) => name);
  if (formats.length > 0 && formats.every((format) => names.includes(format))) return formats;
  throw new SettingRefusedError('formats', formats.join(','), `Give one or more of: ${names.join(', ')}.`);
}

/** Loads one after the other, so that of several refusals always the same one is reported. */
export async function loadPublications(
  wanted: readonly WantedProjection[],
  places: ProjectionPlaces,
  state: PublishedState,
): Promise<readonly OpenProjection[]> {
  const { changes, published, ownPages: pagesFile } = state;
  const { pages, marks } = state.pages;
  const open: OpenProjection[] = [];
  for (const { projection, options } of wanted) {
    const { stateKey } = projection;
    const own = stateKey === undefined ? undefined : marks[stateKey];
    const site = { changes, published, pages, pagesFile, marks: own };
    open.push({ projection, options, publication: await projection.load(places, site, options) });
  }
  return open;
}

/** Passes a parsed page to every projection. */
export async function tellPage(open: readonly OpenProjection[], reading: ParsedPage): Promise<void> {
  for (const { publication } of open) await publication.onPage?.(reading);
}

/** Gives each text of these changes a salt, if a projection needs it. */
export function saltWhereWanted(
  open: readonly OpenProjection[],
  drafts: readonly ChangeDraft[],
  salt: () => string,
): readonly ChangeDraft[] {
  const isWanted = open.some(({ publication }) => publication.saltsTexts);
  return isWanted ? drafts.map((draft) => withSalts(draft, salt)) : drafts;
}

/** The marks of all projections, now that the log is `changes`. */
export function planMarks(open: readonly OpenProjection[], before: Marks, changes: readonly Change[]): Marks {
  const planned = open.flatMap(({ projection: { stateKey }, publication }) =>
    stateKey === undefined ? [] : [[stateKey, publication.plan?.(changes)] as const],
  );
  return { ...before, ...Object.fromEntries(planned) };
}

/** Everything to write, in the order of the dialects. */
export async function projectAll(
  open: readonly OpenProjection[],
  site: Omit<GrownSite, 'files' | 'paths' | 'about'>,
): Promise<Required<Projected>> {
  const all: Projected[] = [];
  const filesOf = () => all.flatMap(({ files }) => files);
  const pathsOf = () => all.flatMap(({ paths }) => paths);
  const about = open.find(({ publication }) => publication.about !== undefined)?.publication.about;
  for (const { options, publication } of open) {
    if (!options.isChosen && !publication.isCarried) continue;
    all.push(await publication.project({ ...site, about, files: filesOf(), paths: pathsOf() }));
  }
  return {
    files: filesOf(),
    rules: fewRules(all.flatMap(({ rules }) => rules)),
    paths: pathsOf(),
    record: all.flatMap(({ record = [] }) => record),
    closing: () => all.flatMap(({ closing }) => closing?.() ?? []),
    memory: all.flatMap(({ memory = [] }) => memory),
    stale: all.flatMap(({ stale = [] }) => stale),
    suggestions: all.flatMap(({ suggestions = [] }) => suggestions),
  };
}
