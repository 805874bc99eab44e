/** Something that differs from what the log says. */
export interface FsckFinding {
  /** What is wrong, in one sentence. */
  readonly what: string;
  /** The file, or the entry of the log. */
  readonly where: string;
}
