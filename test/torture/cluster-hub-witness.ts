import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** What a process has witnessed: see `cluster-hub-patch.mjs`. */
export type Witnessed = { readonly task?: string; readonly token?: number; readonly kind?: string } & (
  | { readonly is: 'named'; readonly name: string; readonly pid: number }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'acked'; readonly rev: number; readonly sha256: string }
);

/** Lines that are added to a file, over all who write there one after another. */
export class WitnessFile {
  readonly path: string;
  readonly #all: Witnessed[] = [];
  #rest = '';
  #place = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** All up to now. */
  all(): readonly Witnessed[] {
    if (!existsSync(this.path)) return this.#all;
    const file = openSync(this.path, 'r');
    const piece = Buffer.alloc(65_536);
    for (let bytes = 1; bytes > 0; ) {
      bytes = readSync(file, piece, 0, piece.length, this.#place);
      this.#place += bytes;
      this.#rest += piece.toString('latin1', 0, bytes);
    }
    closeSync(file);
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#all.push(JSON.parse(line) as Witnessed);
    return this.#all;
  }

  /** How often something was acknowledged. */
  acks(): number {
    return this.all().filter(({ is }) => is === 'acked').length;
  }
}
