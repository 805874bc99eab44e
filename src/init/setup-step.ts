/** One step of the setup, and who does it. */
export type SetupStep =
  /** A new file. It is written only if nothing exists at its path. */
  | { readonly is: 'write'; readonly path: string; readonly text: string }
  /** A new secret key, readable only by its owner. It is generated when it is written, and never shown. */
  | { readonly is: 'key'; readonly path: string }
  /** A file of the user, which is not changed: which lines to add, and where. */
  | { readonly is: 'add'; readonly path: string; readonly where: string; readonly lines: string }
  /** Already done. */
  | { readonly is: 'there'; readonly path: string; readonly what: string }
  /** What cannot be done from here: a command to run, a setting at a host. */
  | { readonly is: 'do'; readonly what: string; readonly lines?: string }
  /** A file cannot be created because something else is at its path. */
  | { readonly is: 'blocked'; readonly path: string; readonly why: string };

/** A file to create, and what to say if the user already has one of that name. */
export interface WantedFile {
  readonly path: string;
  readonly text: string;
  /** Whether an existing file already does what is needed. */
  isDone(text: string): boolean;
  readonly where: string;
  readonly lines: string;
}
