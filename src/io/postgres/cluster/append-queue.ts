import type { JournalWrite, WriteAnswer } from '../../../hub/cluster/journal.ts';

interface Call {
  readonly writes: readonly JournalWrite[];
  resolve(answers: readonly WriteAnswer[]): void;
  reject(error: unknown): void;
}

/** One transaction, with an answer for each call. */
export type CommitCalls = (calls: readonly (readonly JournalWrite[])[]) => Promise<readonly (readonly WriteAnswer[])[]>;

const MAX_WRITES = 64;
const MAX_BYTES = 4 * 2 ** 20;
/** About what a draft weighs: only so that a group ends somewhere. */
const DRAFT_BYTES = 1000;

/** Calls that wait while one transaction runs go into the next one together. A call is never split. */
export class AppendQueue implements AsyncDisposable {
  readonly #commit: CommitCalls;
  readonly #waiting: Call[] = [];
  #running: Promise<void> | undefined;

  constructor(commit: CommitCalls) {
    this.#commit = commit;
  }

  async append(writes: readonly JournalWrite[]): Promise<readonly WriteAnswer[]> {
    const answer = new Promise<readonly WriteAnswer[]>((resolve, reject) => {
      this.#waiting.push({ writes, resolve, reject });
    });
    this.#running ??= this.#run();
    return await answer;
  }

  /** When what was asked for is answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let group = this.#nextGroup(); group.length > 0; group = this.#nextGroup()) {
      try {
        const answers = await this.#commit(group.map(({ writes }) => writes));
        for (const [index, { resolve }] of group.entries()) resolve(answers[index] ?? []);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#running = undefined;
  }

  #nextGroup(): Call[] {
    let count = 0;
    let bytes = 0;
    const end = this.#waiting.findIndex(({ writes }, index) => {
      count += writes.length;
      bytes += writes.reduce((sum, write) => sum + sizeOf(write), 0);
      return index > 0 && (count > MAX_WRITES || bytes > MAX_BYTES);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}

function sizeOf({ body, drafts = [] }: JournalWrite): number {
  return body.byteLength + drafts.length * DRAFT_BYTES;
}
