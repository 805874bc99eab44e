import type { Change, ChangeDraft } from '../model/change.ts';
import type { Log, ReadRange } from './log.ts';

export interface LogWorld {
  readonly now: () => number;
  readonly random: (size: number) => Uint8Array;
}

/** One place where a log can live. Opening it again finds what was stored there. */
export interface LogPlace {
  open(world: LogWorld): Promise<Log>;
}

export const NOON = Date.parse('2026-03-01T12:00:00Z');

export function worldAt(nowMs: number): LogWorld {
  let seed = 0;
  return {
    now: () => nowMs,
    random: (size) =>
      Uint8Array.from({ length: size }, () => {
        seed = (seed * 16807 + 12345) % 2147483647;
        return seed >> 16;
      }),
  };
}

export function draft(path: string, rest: Partial<ChangeDraft> = {}): ChangeDraft {
  return { source: 'docs', action: 'update', url: `https://docs.example/${encodeURI(path)}`, ...rest };
}

export function drafts(count: number, rest: Partial<ChangeDraft> = {}): ChangeDraft[] {
  return Array.from({ length: count }, (_, index) => draft(`page-${index}`, rest));
}

export async function all(log: Log, range?: ReadRange): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const change of log.read(range)) changes.push(change);
  return changes;
}
