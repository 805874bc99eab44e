import { TidingsError } from '../../errors/tidings-error.ts';
import type { HostMemory } from '../../fetch/host-memory.ts';
import { LONGEST_HOST_PAUSE_MS } from '../../fetch/host-pauses.ts';
import { KeptHostMemory } from '../../fetch/kept-host-memory.ts';
import { MemoryHostMemory } from '../../fetch/memory-host-memory.ts';
import { openHostFile, type SqliteHostMemory } from './host-memory.ts';

export interface SoleHostMemoryOptions {
  readonly file: string;
  readonly now: () => number;
  /** After a process was killed, each host gets a pause of this length. */
  readonly gapMs: number;
  /** Called once, when the file cannot be used, or no longer be written. */
  readonly onProblem: (message: string) => void;
}

/**
 * The hosts of a process that is the only user of their file. Its content is known from the start; new facts are written if the disk accepts them. Always
 * opens: without a usable file it lasts no longer than the process.
 */
export async function openSoleHostMemory(options: SoleHostMemoryOptions): Promise<HostMemory> {
  const { file, onProblem } = options;
  const say = ({ message, cause }: Error) => {
    const reason = cause instanceof Error ? cause.message : message;
    onProblem(
      `which hosts want peace is known until the end of this process only: ${file} cannot be used (${reason}).`,
    );
  };
  let kept: SqliteHostMemory | undefined;
  try {
    kept = await openHostFile(file);
    return await recalled(kept, options, say);
  } catch (error) {
    await kept?.[Symbol.asyncDispose]();
    if (!isOfDisk(error)) throw error;
    say(error);
    return new MemoryHostMemory();
  }
}

async function recalled(
  kept: SqliteHostMemory,
  { now, gapMs }: SoleHostMemoryOptions,
  onRefused: (error: Error) => void,
): Promise<HostMemory> {
  const memory = new KeptHostMemory({ kept, onRefused, now, gapMs });
  const latestMs = now() + LONGEST_HOST_PAUSE_MS;
  for (const kind of kept.marks()) {
    await memory.recall(kind.mark === 'pause' ? { ...kind, untilMs: Math.min(kind.untilMs, latestMs) } : kind);
  }
  await memory.keep(async () => kept.mend(now()));
  await memory.open();
  return memory;
}

/** Anything else is a bug. */
function isOfDisk(error: unknown): error is Error {
  return error instanceof TidingsError || (error instanceof Error && 'syscall' in error);
}
