import { SourceUnreadError } from '../../errors/source-unread-error.ts';
import { builtSource } from '../../produce/built-source.ts';
import { stopIfTooMuchVanishes } from '../../produce/safety.ts';
import type { SiteComparison } from '../../produce/site-source.ts';
import type { WatchedSource } from '../hub-store.ts';
import { createPathFilter } from '../path-filter.ts';
import type { FolderConfig } from '../source-config.ts';
import { PageRecorder } from './page-recorder.ts';
import { notesOf, type SourceReading, wordsFor } from './source-reading.ts';
import type { VisitPorts } from './visit-ports.ts';

/** A folder of built HTML against what is remembered of it. */
export async function visitFolder(
  config: FolderConfig,
  source: Pick<WatchedSource, 'allowDeletes'>,
  ports: VisitPorts,
): Promise<SourceReading> {
  const allowDeletes = source.allowDeletes ?? false;
  const { id, path, site, cleanUrls = false } = config;
  const folder = builtSource(ports.openFolder(path));
  const accepts = createPathFilter(config);
  const recorder = await PageRecorder.open({ ...ports, source: id, accepts, isFirstReading: false });
  const words = wordsFor(id);
  const comparison = await folder.compare(recorder.before(), {
    site: new URL(site),
    cleanUrls,
    accepts,
    words,
    signal: ports.signal,
    onPage: recorder.onPage,
  });
  ensureRead(path, comparison);
  if (!allowDeletes) stopIfTooMuchVanishes(comparison, recorder.size, { ...folder, words });
  await recorder.finish(comparison);
  const { pages, failures } = comparison;
  return { pages: pages.size, unread: failures.length, notes: notesOf(failures) };
}

/** A folder that went away while it was listed has no pages either, and no page is gone by that. */
export function ensureRead(place: string, { reached, vanished, failures }: SiteComparison): void {
  const [failure] = failures;
  if (reached === 0 && vanished.length === 0 && failure !== undefined) {
    throw new SourceUnreadError(place, `${failure.file}: ${failure.message}`);
  }
}
