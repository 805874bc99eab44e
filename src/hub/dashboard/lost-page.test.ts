import { expect, test } from 'vitest';
import { signedIn } from '../../../test/support/signed-in.ts';
import type { HubRequest } from '../http/route.ts';
import { lostRoute } from './lost-page.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

function ask(path: string, accept?: string) {
  const request: Partial<HubRequest> = { params: { '*': path }, headers: { accept } };
  return lostRoute(signedIn('read')).handle(request as HubRequest);
}

test('who follows a link that leads nowhere gets a page that leads back, from wherever it is', async () => {
  const answer = await ask('a/b/c', BROWSER);
  expect(answer.status).toBe(404);
  expect(answer.body).toContain('There is nothing here</bdi></h1>');
  expect(answer.body).toContain('<a href="../../">Go to the overview</a>');
});

test.each([
  ['a', '*/*'],
  ['a', 'application/json'],
  ['a', undefined],
  ['/'.repeat(5000), BROWSER],
])('a program gets a problem document: %.9s %s', async (path, accept) => {
  const answer = await ask(path, accept);
  expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/problem+json']);
});
