export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Where a hub says what it does, for operators.
 *
 * Never throws and never waits: a log that nobody reads must not stop the hub. Fields that are named like secrets
 * (`authorization`, `cookie`, `token`, `password`, `secret`) and the credentials in URLs do not reach the output; an `Error` may stand in any field.
 *
 * @example
 * logger.warn({ source: 'docs', error }, 'A check failed');
 */
export interface HubLogger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}
