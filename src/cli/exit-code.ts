import type { TidingsError } from '../errors/tidings-error.ts';

export const ExitCode = {
  Done: 0,
  /** `check --fail-on` found something. */
  Findings: 1,
  /** Usage or configuration. */
  BadUsage: 2,
  /** Some source or file failed. Never to be taken for "no change". */
  Incomplete: 3,
  /** A person has to say yes first. */
  SafetyStop: 4,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

export function exitCodeOf(error: TidingsError): ExitCode {
  switch (error.recovery) {
    case 'fix-config':
      return ExitCode.BadUsage;
    case 'fix-input':
    case 'retry-later':
      return ExitCode.Incomplete;
    case 'stop':
      return ExitCode.SafetyStop;
  }
}
