import type { ApiKeyRecord, ApiKeyStore, KeyStanding, WriteOutcome } from './api-key-store.ts';

/** A write to the store of API keys. Whether it can be done is found when it is its turn. */
export type ApiKeyStep =
  | { readonly do: 'add'; readonly record: ApiKeyRecord }
  | { readonly do: 'revoke'; readonly hash: string; readonly atMs: number; readonly for: string }
  | { readonly do: 'settle'; readonly hash: string; readonly standing: KeyStanding }
  | { readonly do: 'rotate'; readonly hash: string; readonly next: ApiKeyRecord }
  | { readonly do: 'webhook'; readonly event: string; readonly atMs: number };

export interface ApiKeySteps {
  read(): Promise<readonly ApiKeyRecord[]>;
  /** Whether it was done. */
  write(step: ApiKeyStep): Promise<boolean>;
}

/** API keys whose writes are steps that somebody else takes, one after another. */
export class SteppedApiKeys implements ApiKeyStore {
  readonly #steps: ApiKeySteps;

  constructor(steps: ApiKeySteps) {
    this.#steps = steps;
  }

  apiKeys(): Promise<readonly ApiKeyRecord[]> {
    return this.#steps.read();
  }

  addApiKey(record: ApiKeyRecord): Promise<WriteOutcome> {
    return this.#take({ do: 'add', record });
  }

  revokeApiKey(hash: string, revoked: { readonly atMs: number; readonly for: string }): Promise<WriteOutcome> {
    return this.#take({ do: 'revoke', hash, ...revoked });
  }

  settleApiKey(hash: string, standing: KeyStanding): Promise<WriteOutcome> {
    return this.#take({ do: 'settle', hash, standing });
  }

  rotateApiKey(oldHash: string, next: ApiKeyRecord): Promise<WriteOutcome> {
    return this.#take({ do: 'rotate', hash: oldHash, next });
  }

  recordWebhook(event: string, atMs: number): Promise<WriteOutcome> {
    return this.#take({ do: 'webhook', event, atMs });
  }

  async #take(step: ApiKeyStep): Promise<WriteOutcome> {
    return (await this.#steps.write(step)) ? 'done' : 'too-late';
  }
}
