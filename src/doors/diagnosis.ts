/** The result of examining one thing that a hub needs. */
export interface Diagnosis {
  /** A permanent name, like `data` or `port`. */
  readonly check: string;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly says: string;
  /** What to do about it. Absent if all is well. */
  readonly remedy?: string;
}

export function well(check: string, says: string): Diagnosis {
  return { check, level: 'ok', says };
}

export function doubtful(check: string, says: string, remedy: string): Diagnosis {
  return { check, level: 'warn', says, remedy };
}

export function fail(check: string, says: string, remedy: string): Diagnosis {
  return { check, level: 'fail', says, remedy };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
