import { TidingsError } from './tidings-error.ts';

/** No change of a log is what was asked about. */
export class ChangeUnknownError extends TidingsError {
  override readonly name = 'ChangeUnknownError';
  readonly recovery = 'fix-input';
  readonly target: string;
  readonly place: string;

  constructor(target: string, place: string) {
    const remedy = 'Give the id of a change, or the address of a page as the log has it: tidings log shows them.';
    super(`The log in ${place} knows no change "${target.slice(0, 300)}". ${remedy}`);
    this.target = target;
    this.place = place;
  }
}
