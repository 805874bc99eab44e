/** Has the checkpoint of a log cosigned. Returns the note with the cosignatures that were received. */
export type CosignCheckpoint = (note: string, log: number, signal: AbortSignal) => Promise<string>;

export interface WitnessAsker {
  readonly cosign: CosignCheckpoint;
  /** The current log. */
  readonly log: () => number | undefined;
  /** Aborted when the shelf is closed. */
  readonly closing: AbortSignal;
  /** Called when a cosigned note has arrived, which replaces the one that is shown. */
  readonly onCosigned: () => Promise<void>;
  readonly onProblem: (message: string) => void;
}

/** Asks witnesses about checkpoints that are already public, one at a time. Nobody waits for them. */
export class AskedWitnesses {
  readonly #asker: WitnessAsker;
  #asking: Promise<void> | undefined;
  /** The newest checkpoint after the one being asked about. */
  #unasked: string | undefined;
  #cosigned: string | undefined;

  constructor(asker: WitnessAsker) {
    this.#asker = asker;
  }

  ask(checkpoint: string): void {
    this.#unasked = checkpoint;
    this.#asking ??= this.#askAll()
      .catch((error: unknown) => this.#asker.onProblem(`Witnesses cannot be asked. ${messageOf(error)}`))
      .finally(() => {
        this.#asking = undefined;
      });
  }

  /** The cosigned note for the head of that size. A note for another size is no longer useful and is dropped. */
  cosignedOf(size: number): string | undefined {
    if (this.#cosigned !== undefined && sizeOfNote(this.#cosigned) !== size) this.#cosigned = undefined;
    return this.#cosigned;
  }

  /** Whether this is the cosigned note: it is now shown, so witnesses need not be asked about it. */
  isCosigned(checkpoint: string): boolean {
    if (checkpoint !== this.#cosigned) return false;
    this.#cosigned = undefined;
    return true;
  }

  /** Resolves when no witness is being asked. */
  async settled(): Promise<void> {
    await this.#asking;
  }

  async #askAll(): Promise<void> {
    const { cosign, log, closing, onCosigned } = this.#asker;
    while (this.#unasked !== undefined && !closing.aborted) {
      const [note, number] = [this.#unasked, log()];
      this.#unasked = undefined;
      if (number === undefined) return;
      const cosigned = await cosign(note, number, closing);
      if (cosigned === note || closing.aborted) continue;
      this.#cosigned = cosigned;
      await onCosigned().catch(() => undefined);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The size is the second line of our checkpoints. */
function sizeOfNote(note: string): number {
  return Number(note.split('\n')[1]);
}
