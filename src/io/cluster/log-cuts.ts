import type { LogArchives } from '../../hub/retention/log-archives.ts';
import type { HubStore } from '../../hub/store/hub-store.ts';

/** Documents that hold lines of changes which the log lets go. */
export interface CutDocuments {
  /** Resolves when they have all that the log has. */
  secure(): Promise<void>;
  /** The log was cut: they go on from where it begins. */
  rebegin(): Promise<void>;
}

export interface LogCutsParts {
  readonly store: Pick<HubStore, 'changes' | 'logStart'>;
  readonly archives: Pick<LogArchives, 'write'>;
  /** Those of a process that keeps some and has not opened them, until the cut is made. */
  readonly openDocuments?: (() => Promise<CutDocuments & AsyncDisposable>) | undefined;
}

/**
 * What a process of a hub does around each cut of the log. It is done at the place in the journal that the cut stands at, when nothing behind it is made
 * here yet: so each process archives the same changes, and its documents end with the same line and begin anew with the same one, whenever
 * it comes to that place.
 */
export class LogCuts {
  readonly #parts: LogCutsParts;
  #documents: Promise<CutDocuments> | undefined;

  constructor(parts: LogCutsParts) {
    this.#parts = parts;
  }

  /** Those that this process has open, or opens now: no cut is made before they are. Undefined: they are closed. */
  keep(documents: Promise<CutDocuments> | undefined): void {
    this.#documents = documents;
    // Whoever opens them hears of it.
    documents?.catch(() => {});
  }

  /** Done again behind a kill, it comes to the same. */
  async around(seq: number, cut: () => Promise<void>): Promise<void> {
    await this.#archive(seq);
    const open = await this.#documents;
    if (open !== undefined) return await cutUnder(open, cut);
    if (this.#parts.openDocuments === undefined) return await cut();
    await using opened = await this.#parts.openDocuments();
    await cutUnder(opened, cut);
  }

  async #archive(seq: number): Promise<void> {
    const { store, archives } = this.#parts;
    const begins = store.logStart()?.seq ?? 0;
    if (seq > begins) await archives.write(store.changes({ after: begins, limit: seq - begins }));
  }
}

async function cutUnder(documents: CutDocuments, cut: () => Promise<void>): Promise<void> {
  await documents.secure();
  await cut();
  await documents.rebegin();
}
