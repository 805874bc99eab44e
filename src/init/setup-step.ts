/** One thing that sets a project up, and who does it. */
export type SetupStep =
  /** A new file. It is written only where nothing stands. */
  | { readonly is: 'write'; readonly path: string; readonly text: string }
  /** A new secret key, for its owner alone. What is in it is made when it is written, and never shown. */
  | { readonly is: 'key'; readonly path: string }
  /** A file of the user, which stays as it is: where in it which lines belong. */
  | { readonly is: 'add'; readonly path: string; readonly where: string; readonly lines: string }
  /** Done before. */
  | { readonly is: 'there'; readonly path: string; readonly what: string }
  /** What nobody can do from here: a command to run, a setting of a host. */
  | { readonly is: 'do'; readonly what: string; readonly lines?: string }
  /** A file cannot be made, because something else stands there. */
  | { readonly is: 'blocked'; readonly path: string; readonly why: string };

/** A file that is wanted, and what to tell where the user has one of that name. */
export interface WantedFile {
  readonly path: string;
  readonly text: string;
  /** Whether a file that is there does what is wanted. */
  isDone(text: string): boolean;
  readonly where: string;
  readonly lines: string;
}
