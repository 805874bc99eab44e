/**
 * Tasks that one process of a hub has at a time, such as that of the projector. Times are those of the database.
 *
 * A call that throws (LogUnavailableError) may or may not have taken effect: a role that nobody renews ends by itself.
 */
export interface Roles {
  /** The token of the new holder: `{ task: 'role:<name>', token }`. Undefined while another process has the role. */
  take(name: string): Promise<number | undefined>;
  /** Whether the role is still held under that token. */
  renew(name: string, token: number): Promise<boolean>;
  /** So that the next process need not wait. Does nothing if another process has the role by now. */
  release(name: string, token: number): Promise<void>;
}
