import { PLAIN } from '../../test/support/synced-page.ts';
import type { HeldPage, HeldSections, Pipeline, Sink, SyncedPage } from './sink.ts';

/** A place for an index, with what a test may do to it and see of it from outside. */
export interface SinkLab extends AsyncDisposable {
  /** Opens the same place, as another process would. */
  open(): Promise<Sink>;
  /** All text that a reader finds of a page now, by a way of its own; `''` where there is none. */
  read(url: string): Promise<string>;
  /** Begins to read a page again and again. */
  watch(url: string): Promise<Watch>;
  /** Everything that is kept, to be compared. */
  dump(): Promise<unknown>;
  /** A page is put as a whole: what is read is always of one put. */
  readonly isAtomic?: boolean;
  /** By the id of their chunk. */
  readVectors?(): Promise<ReadonlyMap<string, readonly number[]>>;
  /** Ways in which it fails while a page is put. */
  readonly breakdowns?: Readonly<Record<string, () => Promise<Breakdown>>>;
  /** The `step`-th thing that is done to the place from now on fails, and all behind it: as a crash there would leave it. */
  breakAt?(step: number): Promise<Breakdown>;
  /** Puts something of somebody else where the index would be. Only where nothing was put before. */
  plantForeign?(): Promise<void>;
}

export interface Watch {
  /** What was read, without repetitions. */
  stop(): Promise<readonly string[]>;
}

export interface Breakdown {
  /** How often it was met. */
  fired(): number;
  mend(): Promise<void>;
}

export type OpenSink = Omit<Sink, typeof Symbol.asyncDispose> & AsyncDisposable;

/** Opened for a pipeline, as the flow does it. */
export async function openPrepared(lab: SinkLab, pipeline: Pipeline = PLAIN): Promise<OpenSink> {
  const sink = await lab.open();
  await sink.prepare?.(pipeline);
  return {
    pages: () => sink.pages(),
    held: (url) => sink.held(url),
    put: (page) => sink.put(page),
    remove: (url) => sink.remove(url),
    [Symbol.asyncDispose]: async () => sink[Symbol.asyncDispose]?.(),
  };
}

/** A watch for places that are read without a wait for whoever writes. */
export function watchBy(read: () => Promise<string>): Watch {
  const seen = new Set<string>();
  let isOver = false;
  const reading = (async () => {
    do seen.add(await read());
    while (!isOver);
  })();
  return {
    async stop() {
      isOver = true;
      await reading;
      return [...seen];
    },
  };
}

export async function heldPages(sink: Pick<Sink, 'pages'>): Promise<HeldPage[]> {
  const pages: HeldPage[] = [];
  for await (const page of sink.pages()) pages.push(page);
  return pages;
}

export async function pageUrls(sink: Pick<Sink, 'pages'>): Promise<string[]> {
  return (await heldPages(sink)).map(({ url }) => url).toSorted();
}

export async function vectorsOf(lab: SinkLab): Promise<ReadonlyMap<string, readonly number[]>> {
  return (await lab.readVectors?.()) ?? new Map();
}

/** What a sink says that it holds of a page that was put. */
export function heldFacts({ url, source, checksum, sections }: SyncedPage): HeldSections {
  return {
    url,
    source,
    checksum,
    sections: sections.map(({ anchor, checksum, chunks }) => ({
      anchor,
      checksum,
      chunks: chunks.map(({ id, fingerprint }) => ({ id, fingerprint })),
    })),
  };
}
