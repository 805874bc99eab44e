import type { Command } from 'commander';
import type { ExitCode } from './exit-code.ts';
import type { World } from './world.ts';

/** The options of a verb as they were given, each under its name in camel case. */
export type Options = Readonly<Record<string, unknown>>;

/** What a user can ask for, and how it is done. */
export interface Verb {
  /** One line that works when it is copied, or several. */
  readonly example: string;
  /** Gets the settings neither read nor applied: a file that is refused is a finding of it. */
  readonly readsConfigItself?: true;
  /** Declares arguments and options. */
  configure(command: Command): void;
  run(args: readonly string[], options: Options, world: World): Promise<ExitCode>;
}

/** A verb as the help lists it, before it is loaded. */
export interface VerbEntry {
  readonly name: string;
  /** Its arguments, as it declares them: `<old> <new>`. */
  readonly args: string;
  /** The user's sentence. */
  readonly summary: string;
  load(): Promise<Verb>;
}

/** Verbs about one thing: `source add`, `source list`. */
export interface VerbGroup {
  readonly name: string;
  readonly summary: string;
  readonly verbs: readonly VerbEntry[];
}
