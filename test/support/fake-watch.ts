import { sourceExistsError, sourceFixedError, sourceUnknownError } from '../../src/errors/refusals.ts';
import type { SourceConfig } from '../../src/hub/config/source-config.ts';
import type { CheckRecord, SourceHealth, WatchedSource } from '../../src/hub/store/hub-store.ts';
import type { VisitOutcome } from '../../src/hub/store/visit-outcome.ts';
import type { Watch } from '../../src/hub/watch/watch-port.ts';

export const NEVER_CHECKED: SourceHealth = {
  changed: false,
  failures: 0,
  intervalMs: 3_600_000,
  dueAtMs: Date.parse('2026-03-01T12:00:00Z'),
  changeGapsMs: [],
};

export function watchedSource(config: SourceConfig, rest: Partial<WatchedSource> = {}): WatchedSource {
  return { config, origin: 'api', addedAtMs: Date.parse('2026-03-01T11:00:00Z'), health: NEVER_CHECKED, ...rest };
}

export function siteConfig(id: string): SourceConfig {
  return { id, kind: 'site', url: `https://${id}.example/` };
}

/** The watched sources in memory, by the contract of {@link Watch}. */
export class FakeWatch implements Watch {
  readonly byId = new Map<string, WatchedSource>();
  checks: readonly CheckRecord[] = [];
  /** The hastened sources, in order. */
  readonly hastened: string[] = [];
  unwritable: string | undefined;
  /** An error that `add`, `remove` and other writing methods throw, if it returns one. */
  failing: (action: string, id: string) => Error | undefined = () => undefined;
  testing: (config: SourceConfig, signal: AbortSignal) => Promise<VisitOutcome> = async () => ({
    is: 'read',
    changes: 0,
    notes: [],
  });

  constructor(sources: readonly WatchedSource[] = []) {
    for (const source of sources) this.byId.set(source.config.id, source);
  }

  sources(): readonly WatchedSource[] {
    return [...this.byId.values()].sort((left, right) => (left.config.id < right.config.id ? -1 : 1));
  }

  source(id: string): WatchedSource | undefined {
    return this.byId.get(id);
  }

  async add(
    configs: readonly SourceConfig[],
    whose: Pick<WatchedSource, 'owner'> = {},
  ): Promise<readonly WatchedSource[]> {
    for (const { id } of configs) {
      this.#ensureWritable('add', id);
      if (this.byId.has(id)) throw sourceExistsError(id);
    }
    return configs.map((config) => this.#put(watchedSource(config, whose)));
  }

  hasten(id: string): void {
    this.hastened.push(id);
  }

  async pause(id: string, reason: string, by?: WatchedSource['pausedBy']): Promise<WatchedSource> {
    this.#ensureWritable('pause', id);
    const { pausedBy: _, ...source } = this.#known(id);
    return this.#put({ ...source, paused: reason, ...(by !== undefined && { pausedBy: by }) });
  }

  async change(config: SourceConfig): Promise<WatchedSource> {
    this.#ensureWritable('change', config.id);
    const source = this.#known(config.id);
    if (source.origin === 'config') throw sourceFixedError(config.id);
    return this.#put({ ...source, config });
  }

  async resume(id: string, { allowDeletes }: { readonly allowDeletes: boolean }): Promise<WatchedSource> {
    this.#ensureWritable('resume', id);
    const { paused: _, allowDeletes: __, pausedBy: ___, ...source } = this.#known(id);
    return this.#put({ ...source, ...(allowDeletes && { allowDeletes }) });
  }

  async remove(id: string): Promise<void> {
    this.#ensureWritable('remove', id);
    if (this.#known(id).origin === 'config') throw sourceFixedError(id);
    this.byId.delete(id);
  }

  test(config: SourceConfig, signal: AbortSignal): Promise<VisitOutcome> {
    return this.testing(config, signal);
  }

  async checksOf(id: string, limit: number): Promise<readonly CheckRecord[]> {
    return this.checks.filter(({ source }) => source === id).slice(0, limit);
  }

  #put(source: WatchedSource): WatchedSource {
    this.byId.set(source.config.id, source);
    return source;
  }

  #known(id: string): WatchedSource {
    const source = this.byId.get(id);
    if (source === undefined) throw sourceUnknownError(id);
    return source;
  }

  #ensureWritable(action: string, id: string): void {
    const error = this.failing(action, id);
    if (error !== undefined) throw error;
  }
}
