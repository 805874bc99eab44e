import { oneLine } from '../../../codecs/primitives/one-line.ts';
import type { DocumentProblem } from '../../../codecs/resourcesync/issue.ts';

const MAX_TOLD = 20;

/** Remarks for an author about readable documents: a limited number, and a count of the rest. */
export class Notes {
  readonly #told: string[] = [];
  #others = 0;

  add(url: string, message: string): void {
    if (this.#told.length < MAX_TOLD) this.#told.push(oneLine(`${url}: ${message}`));
    else this.#others += 1;
  }

  addProblem(url: string, { clause, line, message, effect }: DocumentProblem): void {
    this.add(url, `line ${line}: ${clause}: ${message}${effect === 'skipped' ? ' It is left out.' : ''}`);
  }

  all(): string[] {
    return this.#others === 0 ? [...this.#told] : [...this.#told, `… and ${this.#others} more remarks.`];
  }
}
