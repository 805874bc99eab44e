/**
 * Tasks that one process of a hub has at a time, such as that of the projector. Moments are those of the database.
 *
 * What is thrown (LogUnavailableError) leaves everything as it was, or does what was asked: a role that nobody renews ends by itself.
 */
export interface Roles {
  /** The number under which its holder now writes: `{ task: 'role:<name>', token }`. Undefined while somebody else has it. */
  take(name: string): Promise<number | undefined>;
  /** Whether it is still held under that number. */
  renew(name: string, token: number): Promise<boolean>;
  /** The next one need not wait. What is somebody else's by now is left alone. */
  release(name: string, token: number): Promise<void>;
}
