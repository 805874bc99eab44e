import type { Command } from 'commander';
import type { ExitCode } from './exit-code.ts';
import type { World } from './world.ts';

/** One thing that a user can ask for. */
export interface Verb {
  readonly name: string;
  /** The user's sentence. */
  readonly summary: string;
  /** One line that works when it is copied, or several. */
  readonly example: string;
  /** Gets the settings neither read nor applied: a file that is refused is a finding of it. */
  readonly readsConfigItself?: true;
  /** Declares arguments and options. */
  configure(command: Command): void;
  run(args: readonly string[], options: Readonly<Record<string, unknown>>, world: World): Promise<ExitCode>;
}

/** Verbs about one thing: `source add`, `source list`. */
export interface VerbGroup {
  readonly name: string;
  readonly summary: string;
  readonly verbs: readonly Verb[];
}
