import { HubAnswerError } from '../errors/hub-answer-error.ts';

/** The answer of a hub, recognised by one key. Another server may answer in its place; such an answer is refused. */
export function hubAnswer<T>(value: unknown, key: keyof T & string, hub: string): T {
  if (typeof value === 'object' && value !== null && key in value) return value as T;
  throw new HubAnswerError(hub, 200, { detail: `The answer has no "${key}". Is this the address of a hub?` });
}
