/** Where a log begins that was cut: behind this change. What came before stands in its archives. */
export interface LogStart {
  /** Of the last change that is not in the log any more. */
  readonly seq: number;
  readonly id: string;
}
