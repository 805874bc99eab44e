import type { LogArchives } from '../../hub/retention/log-archives.ts';
import type { HubStore } from '../../hub/store/hub-store.ts';

/** Documents that hold lines of changes which the log lets go. */
export interface CutDocuments {
  /** Resolves when they have all that the log has. */
  secure(): Promise<void>;
  /** The log was cut: the documents continue from its new start. */
  rebegin(): Promise<void>;
}

export interface LogCutsParts {
  readonly store: Pick<HubStore, 'changes' | 'logStart'>;
  readonly archives: Pick<LogArchives, 'write'>;
  /** Opens the documents of a process that has not opened them, until the cut is made. */
  readonly openDocuments?: (() => Promise<CutDocuments & AsyncDisposable>) | undefined;
}

/**
 * What a process of a hub does around each cut of the log. It happens at the place of the cut in the journal, before any later write is applied here: so each
 * process archives the same changes, and its documents end and begin with the same lines, whenever it reaches that place.
 */
export class LogCuts {
  readonly #parts: LogCutsParts;
  #documents: Promise<CutDocuments> | undefined;

  constructor(parts: LogCutsParts) {
    this.#parts = parts;
  }

  /** The documents that this process has open, or opens now: no cut is made before they are. Undefined: they are closed. */
  keep(documents: Promise<CutDocuments> | undefined): void {
    this.#documents = documents;
    // Whoever opens them hears of it.
    documents?.catch(() => {});
  }

  /** Idempotent after a crash. */
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
