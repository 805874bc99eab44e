import { expect, test } from 'vitest';
import { serveRoutes } from '../../../test/support/serve-routes.ts';
import { PageGoneError, PageStatusError } from '../../errors/crawl-error.ts';
import { LogFullError } from '../../errors/log-error.ts';
import { PaymentError } from '../../errors/payment-error.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { type Recovery, TidingsError } from '../../errors/tidings-error.ts';
import { withProblems } from '../../hub/http/api-problems.ts';
import type { Route } from '../../hub/http/route.ts';

class NamedError extends TidingsError {
  readonly recovery: Recovery;

  constructor(name: string, recovery: Recovery) {
    super('The file of /secret/place is gone.');
    this.name = name;
    this.recovery = recovery;
  }
}

test.each([
  [new LogFullError('/secret/log.db', new Error('x')), 503, '30'],
  [new SettingRefusedError('limit', 0, 'Give 1 or more.'), 400, null],
  [new NamedError('SourceUnknownError', 'fix-input'), 404, null],
  [new NamedError('SourceExistsError', 'fix-input'), 409, null],
  [new NamedError('SourceFixedError', 'fix-config'), 409, null],
  [new NamedError('OtherError', 'retry-later'), 503, '30'],
  [new NamedError('OtherError', 'fix-input'), 422, null],
  [new NamedError('OtherError', 'fix-config'), 400, null],
  [new NamedError('OtherError', 'stop'), 409, null],
])('%s becomes a problem with status %i', async (error, status, retryAfter) => {
  const { server } = await serveRoutes([
    {
      path: '/now',
      handle: () => {
        throw error;
      },
    },
    { path: '/later', handle: () => Promise.reject(error) },
  ]);
  for (const path of ['now', 'later']) {
    const answer = await fetch(server.url + path);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ status });
  }
});

test('what cannot be served is said in the log, once, without queries; what the client did wrong is not', async () => {
  const page = new URL('https://docs.example/a?key=query-secret');
  const failing = (error: Error): Partial<Route> => ({ handle: withProblems(() => Promise.reject(error)) });
  const { server, logged } = await serveRoutes([
    { path: '/paid', ...failing(new PaymentError('it answers 500.')) },
    { path: '/page', ...failing(new PageStatusError(page, 500)) },
    { path: '/gone', ...failing(new PageGoneError(page, 404)) },
    { path: '/thrown', handle: () => Promise.reject(new PageStatusError(page, 500)) },
  ]);
  const statuses = ['paid', 'page', 'gone', 'thrown'].map(async (path) => (await fetch(server.url + path)).status);
  expect(await Promise.all(statuses)).toEqual([502, 502, 404, 502]);
  const said = logged.map(({ level, fields }) => [level, fields.path, fields.status, fields.code, fields.error]);
  expect(said.toSorted()).toEqual([
    ['warn', '/page', 502, 'PageStatusError', 'https://docs.example/a answered with status 500. Try again later.'],
    ['warn', '/paid', 502, 'PaymentError', 'The payment provider could not be asked: it answers 500.'],
    ['warn', '/thrown', 502, 'PageStatusError', 'https://docs.example/a answered with status 500. Try again later.'],
  ]);
});

test('a bug is a 500 that tells nothing, and a line of the log that tells all', async () => {
  const { server, logged, metrics } = await serveRoutes([
    {
      path: '/bug',
      handle: () => {
        throw new TypeError('secret detail');
      },
    },
    { path: '/header', handle: () => ({ status: 200, headers: { 'x-a': 'a\r\nb' }, body: 'x' }) },
    { path: '/status', handle: () => ({ status: 7, headers: {}, body: 'x' }) },
    { path: '/stream', handle: () => ({ status: 200, headers: {}, body: failing() }) },
  ]);
  for (const path of ['bug', 'header', 'status', 'stream']) {
    const answer = await fetch(`${server.url}${path}?token=query-secret`);
    expect([path, answer.status, answer.headers.get('x-a')]).toEqual([path, 500, null]);
    expect(await answer.text()).not.toMatch(/secret|stack|\.ts/);
  }
  expect(logged).toHaveLength(4);
  expect(logged[0]).toMatchObject({ level: 'error', fields: { path: '/bug', status: 500, client: '127.0.0.1' } });
  expect(logged[0]?.fields.error).toBeInstanceOf(TypeError);
  expect(JSON.stringify(logged)).not.toContain('query-secret');
  expect(await metrics.render()).toContain('tidings_http_requests_total{route="/bug",method="GET",status="500"} 1');
});

async function* failing(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Error('No first byte.'));
}
