import { expect } from 'vitest';
import type { Route } from '../../src/hub/http/route.ts';

export const ECHO: Partial<Route> = {
  method: 'POST',
  path: '/echo',
  handle: ({ body }) => ({ status: 200, headers: {}, body: JSON.stringify(body ?? 'no body') }),
};

export const HELLO: Partial<Route> = { path: '/x' };
export const CLOSE = 'Connection: close\r\n\r\n';

export const post = (headers: string, body: string) =>
  `POST /echo HTTP/1.1\r\nHost: h\r\n${headers}Connection: close\r\n\r\n${body}`;

/** The status, after checking that the rest is a complete problem document with the same status. */
export function refusal(answer: string): number {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  expect(head.toLowerCase(), answer).toContain('content-type: application/problem+json');
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
  expect(JSON.parse(body)).toMatchObject({ status });
  return status;
}
