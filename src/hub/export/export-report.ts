export interface ExportProgress {
  /** Documents that were looked at. */
  readonly looked: number;
  readonly written: number;
}

export interface ExportReport {
  /** Documents of the hub at the target. */
  readonly documents: number;
  /** Files that were written, those for hosts included. */
  readonly written: number;
  readonly bytesWritten: number;
}
