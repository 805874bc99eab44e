import { LOG_BYTES } from '../log/log-parts.ts';
import type { Place } from '../model/folder.ts';
import type { ProduceOptions } from './produce-options.ts';
import type { ProduceWorld } from './produce-world.ts';
import type { PublishReport } from './publish-report.ts';
import { SeenFiles } from './seen-files.ts';
import { areAsSeen, decodeSeen, encodeSeen, keyOfPublish, SEEN_FILE, type SeenSite } from './seen-site.ts';

/** How many times larger a part of the pages is than a file of the log. */
const PART_SHARE = 4;

/** A complete publish. */
export interface Publishing {
  readonly world: ProduceWorld;
  /** Called when something is new: then the next publish has work to do. */
  readonly forget: () => void;
}

export interface Published {
  readonly report: PublishReport;
  /** The state is in parts. For smaller states, storing what was seen costs more than it saves. */
  readonly isParted: boolean;
}

/**
 * Skips a publish if everything is as the last publish saw it and that one found nothing new. Otherwise publishes completely and stores what it saw
 * for the next one.
 */
export async function publishUnlessSeen(
  options: ProduceOptions,
  world: ProduceWorld,
  publishAll: (publishing: Publishing) => Promise<Published>,
): Promise<PublishReport> {
  const { source, state, statePath } = world;
  const digest = options.dryRun || world.previous !== undefined ? undefined : await source.digest?.(options);
  if (digest === undefined) return (await publishAll({ world, forget: () => {} })).report;

  const key = keyOfPublish(options, { version: world.version, formats: world.dialects.map(({ name }) => name) });
  const seen = decodeSeen(await state.read(SEEN_FILE));
  if (seen?.key === key && seen.digest === digest && (await areAsSeen(seen.files, placesOf(world)))) {
    return unchangedReport(seen);
  }
  const looks = new SeenFiles();
  const { report, isParted } = await publishAll({ world: watched(world, looks), forget: () => looks.forget() });
  const files = isParted ? looks.files() : undefined;
  const { pages, suggestions } = report;
  const path = statePath === undefined ? [] : [`${statePath}/${SEEN_FILE}`];
  const artifacts = [...report.artifacts, ...path];
  const bytes = files && encodeSeen({ key, digest, pages, artifacts, suggestions, files });
  // At most as large as a part of the pages.
  if (bytes !== undefined && bytes.length <= PART_SHARE * (options.stateBytes ?? LOG_BYTES)) {
    await state.replace(SEEN_FILE, bytes);
    return { ...report, artifacts };
  }
  if (seen !== undefined) await state.remove(SEEN_FILE);
  return report;
}

function unchangedReport({ pages, artifacts, suggestions }: SeenSite): PublishReport {
  const counts = { pages, created: 0, updated: 0, deleted: 0, unchanged: pages };
  return { ...counts, changes: [], artifacts, failed: [], ...(suggestions !== undefined && { suggestions }) };
}

/** The places by the names under which their files are recorded. */
function placesOf({ dir, out, state, otherStates }: ProduceWorld): ReadonlyMap<string, Place> {
  const others = otherStates.map((place, at) => [copyName(at), place] as const);
  return new Map<string, Place>([
    ...(dir === undefined ? [] : [['dir', dir] as const]),
    ['out', out],
    ['state', state],
    ...others,
  ]);
}

function watched(world: ProduceWorld, looks: SeenFiles): ProduceWorld {
  const { dir, out, state, otherStates } = world;
  return {
    ...world,
    dir: dir && looks.watchPlace('dir', dir),
    out: looks.watchFolder('out', out),
    state: looks.watchFolder('state', state),
    otherStates: otherStates.map((place, at) => looks.watchPlace(copyName(at), place)),
  };
}

function copyName(at: number): string {
  return `copy-${at + 1}`;
}
