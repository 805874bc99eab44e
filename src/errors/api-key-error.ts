import { TidingsError } from './tidings-error.ts';

/** No key that counts is called so. */
export class ApiKeyUnknownError extends TidingsError {
  override readonly name = 'ApiKeyUnknownError';
  readonly recovery = 'fix-input';
  readonly key: string;

  constructor(key: string) {
    super(`No API key that counts is called "${key}". The list of keys shows how they begin, and which were revoked.`);
    this.key = key;
  }
}

/** Several keys begin alike, and one is meant. */
export class ApiKeyAmbiguousError extends TidingsError {
  override readonly name = 'ApiKeyAmbiguousError';
  readonly recovery = 'fix-input';
  readonly key: string;
  readonly hashes: readonly string[];

  constructor(key: string, hashes: readonly string[]) {
    super(`${hashes.length} API keys begin with "${key}". Name one by its hash: ${hashes.join(', ')}.`);
    this.key = key;
    this.hashes = hashes;
  }
}
