import { HubAnswerError } from '../errors/hub-answer-error.ts';

/** The answer of a hub, which is ours and known by one key. What answers in its place may be anything, and is refused. */
export function hubAnswer<T>(value: unknown, key: keyof T & string, hub: string): T {
  if (typeof value === 'object' && value !== null && key in value) return value as T;
  throw new HubAnswerError(hub, 200, { detail: `The answer has no "${key}". Is this the address of a hub?` });
}
