/** Where a truncated log begins: after this change. Earlier changes are in its archives. */
export interface LogStart {
  /** Of the last change that the log no longer holds. */
  readonly seq: number;
  readonly id: string;
}
