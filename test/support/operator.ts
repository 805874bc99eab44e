import { run } from '../../src/cli/run.ts';
import type { SourceConfig } from '../../src/hub/config/source-config.ts';
import type { CheckRecord, SourceHealth, WatchedSource } from '../../src/hub/store/hub-store.ts';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `tidings …` in this process. */
export async function operate(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(args, {
    env,
    isTerminal: false,
    version: '0.0.0',
    signal: new AbortController().signal,
    print: async (line) => void out.push(line),
    complain: (line) => void err.push(line),
    status: () => {},
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

export const FRESH: SourceHealth = { changed: false, failures: 0, intervalMs: 60_000, dueAtMs: 0, changeGapsMs: [] };

export function watched(id: string, health: Partial<SourceHealth> = {}, more: Partial<WatchedSource> = {}) {
  const config: SourceConfig = { id, kind: 'site', url: `https://${id.replaceAll('_', '-')}.example/` };
  return { config, origin: 'api', addedAtMs: 0, health: { ...FRESH, ...health }, ...more } satisfies WatchedSource;
}

export function checkAt(source: string, atMs: number, more: Partial<CheckRecord> = {}): CheckRecord {
  return { source, atMs, tookMs: 100, outcome: 'ok', changes: 0, ...more };
}
