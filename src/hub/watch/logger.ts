export type LogFields = Readonly<Record<string, unknown>>;

/**
 * The log of a hub for its operators.
 *
 * Never throws and never waits: a log that nobody reads must not stop the hub. Fields named like secrets (`authorization`, `cookie`, `token`, `password`,
 * `secret`) and the credentials in URLs do not reach the output. Any field may hold an `Error`.
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
