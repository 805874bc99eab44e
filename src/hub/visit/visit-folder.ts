import { folderUnsettledError, sourceUnreadError } from '../../errors/source-trouble.ts';
import type { BuiltSite } from '../../model/folder.ts';
import { builtSource } from '../../produce/built-source.ts';
import { stopIfTooMuchVanishes } from '../../produce/safety.ts';
import type { SiteComparison } from '../../produce/site-source.ts';
import type { FolderConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { PageRecorder } from './page-recorder.ts';
import { areSame, restingSite, stampsOf } from './resting-site.ts';
import {
  frameNotes,
  frameOf,
  missingNotes,
  notesOf,
  type SourceReading,
  shortNotes,
  stopIfHalfRead,
  wordsFor,
} from './source-reading.ts';
import { rulesRead, type SourceRules, sourceRulesOf, unmatchedNotes } from './source-rules.ts';
import type { VisitPorts } from './visit-ports.ts';

/** A folder that is unchanged for this long is not being written. */
const SETTLED_MS = 1000;
/** How long to wait until a folder has settled. After that, what is complete in it is reported. */
const PATIENCE_MS = 10_000;
const MAX_LOOKS = PATIENCE_MS / SETTLED_MS;

/** Compares a folder of built HTML with what is remembered of it. */
export async function visitFolder(
  config: FolderConfig,
  source: Pick<WatchedSource, 'allowDeletes' | 'health'>,
  ports: VisitPorts,
): Promise<SourceReading> {
  const allowDeletes = source.allowDeletes ?? false;
  const { id, path } = config;
  const chosen = sourceRulesOf(config, source.health);
  const { recorder, comparison } = await readSettled({ config, chosen, ports });
  ensureRead(path, comparison);
  const words = wordsFor(id);
  if (!allowDeletes) {
    const advice = 'Check that the site was built into this folder';
    stopIfTooMuchVanishes(comparison, recorder.size, { name: path, advice, words });
  }
  const missing = await recorder.finish(comparison, { allowDeletes });
  const { pages, reached, failures, unmatched } = comparison;
  // If a folder cannot be listed, its pages stay, and none of them was read.
  const unread = Math.max(failures.length, pages.size - reached);
  const reason = failures[0] && `${failures[0].file}: ${failures[0].message}`;
  stopIfHalfRead({ unread, pages: Math.max(pages.size, reached + unread), reason });
  const notes = shortNotes([
    ...missingNotes(missing),
    ...frameNotes(comparison),
    ...unmatchedNotes(unmatched),
    ...notesOf(failures),
  ]);
  return {
    pages: pages.size + missing.length,
    unread: failures.length,
    ...frameOf(comparison),
    ...rulesRead(chosen),
    notes,
  };
}

interface FolderVisit {
  readonly config: FolderConfig;
  readonly chosen: SourceRules;
  readonly ports: VisitPorts;
}

interface FolderReading {
  readonly recorder: PageRecorder;
  readonly comparison: SiteComparison;
}

/** A site may be built into its folder while we look: differences count when the folder, or the part of it that differs, has settled. */
async function readSettled(visit: FolderVisit): Promise<FolderReading> {
  const { config, ports } = visit;
  const { now, wait, signal } = ports;
  const startedMs = now();
  for (let looks = 1; ; looks += 1) {
    const built = ports.openFolder(config.path);
    const stamps = stampsOf(built);
    const reading = await compareFolder(built, visit);
    const { recorder, comparison } = reading;
    if (recorder.size === 0 || comparison.changes.length + comparison.vanished.length === 0) return reading;
    await wait(SETTLED_MS, signal);
    signal.throwIfAborted();
    if (areSame(stamps, stampsOf(built))) return reading;
    if (looks < MAX_LOOKS && now() - startedMs < PATIENCE_MS) continue;
    return await readAtRest(restingSite(built, stamps), visit);
  }
}

async function readAtRest(built: BuiltSite, visit: FolderVisit): Promise<FolderReading> {
  const { recorder, comparison } = await compareFolder(built, visit);
  if (comparison.reached === 0) throw folderUnsettledError(visit.config.path, PATIENCE_MS);
  const failures = comparison.failures.filter(({ file }) => file !== built.name);
  return { recorder, comparison: { ...comparison, failures } };
}

async function compareFolder(built: BuiltSite, { config, chosen, ports }: FolderVisit): Promise<FolderReading> {
  const recorder = await PageRecorder.open({ ...ports, source: config.id, chosen, looks: 0, isFirstReading: false });
  const comparison = await builtSource(built).compare(recorder.before(), {
    site: new URL(config.site),
    cleanUrls: config.cleanUrls ?? false,
    accepts: chosen.accepts,
    rules: chosen.rules,
    words: wordsFor(config.id),
    signal: ports.signal,
    ...(ports.onProgress !== undefined && { onProgress: ports.onProgress }),
    onPage: recorder.onPage,
  });
  return { recorder, comparison };
}

/** A folder that disappears while it is listed has no pages either; this deletes no page. */
export function ensureRead(place: string, { reached, vanished, failures }: SiteComparison): void {
  const [failure] = failures;
  if (reached === 0 && vanished.length === 0 && failure !== undefined) {
    throw sourceUnreadError(place, `${failure.file}: ${failure.message}`);
  }
}
