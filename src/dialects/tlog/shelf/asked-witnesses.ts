/** Has the checkpoint of a log cosigned: the note with what was had. */
export type CosignCheckpoint = (note: string, log: number, signal: AbortSignal) => Promise<string>;

export interface WitnessAsker {
  readonly cosign: CosignCheckpoint;
  /** Which log goes on. */
  readonly log: () => number | undefined;
  /** Aborted when the shelf is closed. */
  readonly closing: AbortSignal;
  /** A note came back: it is to be shown in place of itself. */
  readonly onCosigned: () => Promise<void>;
  readonly onProblem: (message: string) => void;
}

/** Asks witnesses about checkpoints that are shown already, one at a time: nobody waits for them. */
export class AskedWitnesses {
  readonly #asker: WitnessAsker;
  #asking: Promise<void> | undefined;
  /** The newest behind the one that is asked about. */
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

  /** The note that came back for the head of that size. One of another size is of no use any more, and is let go. */
  cosignedOf(size: number): string | undefined {
    if (this.#cosigned !== undefined && sizeOfNote(this.#cosigned) !== size) this.#cosigned = undefined;
    return this.#cosigned;
  }

  /** Whether this is the note that came back: then it is shown now, and nobody has to be asked about it. */
  isCosigned(checkpoint: string): boolean {
    if (checkpoint !== this.#cosigned) return false;
    this.#cosigned = undefined;
    return true;
  }

  /** Resolves when nobody is asked. */
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

/** The second line of a checkpoint of our own. */
function sizeOfNote(note: string): number {
  return Number(note.split('\n')[1]);
}
