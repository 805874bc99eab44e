import { TidingsError } from './tidings-error.ts';

/** A hub has the data folder, so nobody else may write to it. */
export class HubRunningError extends TidingsError {
  override readonly name = 'HubRunningError';
  readonly recovery = 'fix-config';
  readonly folder: string;

  constructor(folder: string, cause: unknown) {
    super(`A hub is running on ${folder}. Give --hub <its address> and TIDINGS_TOKEN.`, { cause });
    this.folder = folder;
  }
}
