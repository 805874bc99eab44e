/** Something that a person should know but that stops nothing. */
export interface Diagnostic {
  readonly level: 'warn' | 'error';
  /**
   * Permanent name of this kind of diagnostic: `bad-line`, `bad-item`, `ids-go-back`, `gap`, `last-id-missing`, `media-type`, `source-status`,
   * `note`, `withheld`, `poll-failed`.
   */
  readonly code: string;
  readonly message: string;
}

/** Where diagnostics go. */
export interface Reporting {
  readonly report: (diagnostic: Diagnostic) => void;
}

export function warn({ report }: Reporting, code: string, message: string): void {
  report({ level: 'warn', code, message });
}
