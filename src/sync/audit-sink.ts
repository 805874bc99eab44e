import type { Sink } from './sink.ts';
import type { SyncMarks } from './sync-marks.ts';
import type { PageMark } from './sync-state.ts';

export interface SinkAuditOptions {
  readonly sink: Pick<Sink, 'pages'>;
  readonly marks: SyncMarks;
}

/** Compares what the sink holds with what it was given: pages that were lost or changed there are read again. */
export async function auditSink({ sink, marks }: SinkAuditOptions): Promise<void> {
  const put: PageMark[] = [];
  const seen = new Set<string>();
  for await (const { url, checksum } of sink.pages()) {
    seen.add(url);
    const mark = marks.get(url);
    if (mark?.is === 'held' && mark.checksum !== checksum) put.push({ ...mark, is: 'dirty' });
    // What a lost state does not know of a page that it meets again.
    else if (mark !== undefined && mark.checksum === undefined) put.push({ ...mark, checksum });
  }
  for (const mark of marks.all('held')) if (!seen.has(mark.url)) put.push({ ...mark, is: 'dirty' });
  if (put.length > 0) await marks.write({ put });
}

export interface OrphanOptions extends SinkAuditOptions {
  /** Pages of other sources in the same sink are none of ours. */
  readonly sources: ReadonlySet<string>;
  readonly now: () => number;
}

/**
 * Pages that the sink holds and nobody knows are leaving, where the stream was taken from its first change on and all of the sites was read; where
 * it was not taken from there, they are looked for.
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
