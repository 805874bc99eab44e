import type { Settings } from '../doors/settings.ts';
import type { ConfigFile } from './config-file.ts';

/** The whole terminal, drawn over and over. What it showed before comes back when it is disposed of. */
export interface Screen extends Disposable {
  size(): { readonly columns: number; readonly rows: number };
  /** Lines that fit, without control characters but those of colours. */
  draw(lines: readonly string[]): void;
  onResize(listener: () => void): void;
  /** Called when somebody presses q or Ctrl-C. */
  onEnd(listener: () => void): void;
}

/** Everything of the process that a command may touch. */
export interface World {
  /** A result, on stdout. Resolves when the line was taken. */
  print(line: string): Promise<void>;
  /** A diagnostic, on stderr. */
  complain(line: string): void;
  /** The one line that shows a person at a terminal what is happening; nothing if stderr is piped. Empty clears it. */
  status(line: string): void;
  /** Puts a question to the person at the terminal. Absent where nobody could answer. */
  readonly ask?: (question: string) => Promise<string>;
  /** Takes the whole terminal. Absent where stdout is none. */
  readonly openScreen?: () => Screen;
  /** The settings of this folder, or of the file that --config names. Those that are options of the verb are applied already. */
  readonly config?: ConfigFile;
  /** What `config` says, decoded. */
  readonly settings?: Settings;
  /** Whether a person looks at stderr. */
  readonly isTerminal: boolean;
  /** The version of this program. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user asks us to stop. */
  readonly signal: AbortSignal;
}
