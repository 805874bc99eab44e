import { TidingsError } from './tidings-error.ts';

/** A source of that id is watched already. */
export class SourceExistsError extends TidingsError {
  override readonly name = 'SourceExistsError';
  readonly recovery = 'fix-input';
  readonly source: string;

  constructor(source: string) {
    super(`There is a source "${source}" already. Choose another id, or remove that source first.`);
    this.source = source;
  }
}

/** No source of that id is watched. */
export class SourceUnknownError extends TidingsError {
  override readonly name = 'SourceUnknownError';
  readonly recovery = 'fix-input';
  readonly source: string;

  constructor(source: string) {
    super(`There is no source "${source}". The list of sources shows the ids that there are.`);
    this.source = source;
  }
}

/** The source stands in the config file: taken away here, it would be back with the next start. */
export class SourceFixedError extends TidingsError {
  override readonly name = 'SourceFixedError';
  readonly recovery = 'fix-config';
  readonly source: string;

  constructor(source: string, file = 'the config file') {
    super(
      `The source "${source}" stands in ${file}. Remove it there and start the hub again; until then it can be paused.`,
    );
    this.source = source;
  }
}
