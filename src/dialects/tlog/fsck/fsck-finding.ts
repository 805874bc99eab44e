/** Something that is not as the log says. */
export interface FsckFinding {
  /** What is wrong, in one sentence. */
  readonly what: string;
  /** The file, or the entry of the log. */
  readonly where: string;
}
