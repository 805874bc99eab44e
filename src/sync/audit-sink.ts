import type { Sink } from './sink.ts';
import type { SyncMarks } from './sync-marks.ts';
import type { PageMark } from './sync-state.ts';

export interface SinkAuditOptions {
  readonly sink: Pick<Sink, 'pages'>;
  readonly marks: SyncMarks;
}

/** Compares the content of the sink with what it was given: pages that were lost or changed there are read again. */
export async function auditSink({ sink, marks }: SinkAuditOptions): Promise<void> {
  const put: PageMark[] = [];
  const seen = new Set<string>();
  for await (const { url, checksum } of sink.pages()) {
    seen.add(url);
    const mark = marks.get(url);
    if (mark?.is === 'held' && mark.checksum !== checksum) put.push({ ...mark, is: 'dirty' });
    // A lost state does not know the checksum of a page that it finds again.
    else if (mark !== undefined && mark.checksum === undefined) put.push({ ...mark, checksum });
  }
  for (const mark of marks.all('held')) if (!seen.has(mark.url)) put.push({ ...mark, is: 'dirty' });
  if (put.length > 0) await marks.write({ put });
}

export interface OrphanOptions extends SinkAuditOptions {
  /** Pages of other sources in the same sink are ignored. */
  readonly sources: ReadonlySet<string>;
  readonly now: () => number;
}

/**
 * Marks pages in the sink that the state does not know: as leaving if the stream was read from its first change, otherwise as dirty. Call it only
 * after all sites were read completely.
 */
export async function markOrphans({ sink, marks, sources, now }: OrphanOptions): Promise<void> {
  const { cursor, isWhole = false } = marks.place;
  if (cursor === undefined) return;
  const put: PageMark[] = [];
  const updated = new Date(now()).toISOString();
  for await (const { url, source, checksum } of sink.pages()) {
    if (marks.get(url) !== undefined || !sources.has(source)) continue;
    put.push({ url, source, is: isWhole ? 'leaving' : 'dirty', updated, checksum });
  }
  if (put.length > 0) await marks.write({ put });
}
