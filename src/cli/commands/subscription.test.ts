import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type AnswerTarget, startTarget } from '../../../test/support/announce-target.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { linesIn } from '../../../test/support/tidings-here.ts';
import { startHub } from '../../doors/hub.ts';
import { encodeWebhookSecret } from '../../doors/webhooks.ts';

const TOKEN = 'right-token-of-the-hub';

/** A hub that runs, and `tidings subscription …` beside it. */
async function lab() {
  const folder = temporaryFolder();
  const hub = await startHub({ port: 0, allowPrivate: true, data: './data' }, { base: folder.path, token: TOKEN });
  onTestFinished(async () => {
    await hub.close();
    folder[Symbol.dispose]();
  });
  const at = (token: string, ...args: string[]) => linesIn({ TIDINGS_TOKEN: token })(...args, '--hub', hub.url);
  const asked = (...args: string[]) => at(TOKEN, 'subscription', ...args);
  return {
    folder,
    at,
    asked,
    json: async (...args: string[]) => JSON.parse((await asked(...args, '--json')).out),
  };
}

/** Answers challenges, and takes all else. */
const willing: AnswerTarget = ({ body }, response) => {
  const { type, data } = JSON.parse(body);
  response.end(type === 'subscription.verify' ? data.challenge : 'thanks');
};

async function receiver(answer: AnswerTarget = willing) {
  const started = await startTarget(answer);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

test('a life: add, list, show, test, pause, resume, rotate, remove', async () => {
  const { asked, json } = await lab();
  const to = await receiver();
  expect(await asked('list')).toMatchObject({ code: 0, out: expect.stringContaining('Nobody is told') });
  const added = await asked(
    'add',
    to.origin,
    '--source',
    'docs',
    '--path',
    '/guide/**',
    '--batch',
    '50',
    '--label',
    'ours',
  );
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/) });
  expect(added.err).toContain('not shown again');
  const [{ id }] = (await json('list')).subscriptions;
  await vi.waitFor(async () => expect(await json('show', id)).toMatchObject({ status: 'active' }), 10_000);
  expect(await json('show', id)).toMatchObject({
    url: to.origin,
    format: 'tidings',
    filter: { source: ['docs'], path: ['/guide/**'] },
    batch: { max: 50 },
    label: 'ours',
    deliveries: [{ type: 'subscription.verify', outcome: 'delivered' }],
  });
  expect((await asked('list')).out).toMatch(/^ID +STATUS +BEHIND .*\nsub_\S+ +active +0 +tidings /);
  expect(await asked('test', id)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/: delivered, it answered 200 .*: thanks$/),
  });
  expect((await asked('show', id)).out).toContain('subscription.test');
  expect(await asked('pause', id)).toMatchObject({ code: 0, out: expect.stringContaining('disabled') });
  expect(await asked('resume', id)).toMatchObject({ code: 0, out: expect.stringContaining('active') });
  const rotated = await json('rotate', id);
  expect(rotated.secret).not.toBe(added.out);
  expect(rotated.signing).toHaveLength(2);
  expect((await json('rotate', id, '--now', '--signing', 'v1a')).public_key).toMatch(/^whpk_/);
  expect(await asked('remove', id)).toEqual({ code: 0, out: `${id}: nothing is sent any more.`, err: '' });
  expect(await asked('show', id)).toMatchObject({ code: 3, err: expect.stringContaining(id) });
});

test('a test that is not taken exits with 3 and says what was answered', async () => {
  const { asked, json } = await lab();
  const to = await receiver((_, response) => void response.writeHead(500).end('broken'));
  await asked('add', to.origin, '--format', 'slack', '--no-verify');
  const [{ id }] = (await json('list')).subscriptions;
  expect(await asked('test', id)).toMatchObject({ code: 3, out: expect.stringContaining('it answered 500') });
});

test('what lies behind a cursor is sent again by replay, under both of its names', async () => {
  const { asked, json, at } = await lab();
  const to = await receiver();
  await asked('add', to.origin, '--no-verify', '--from', 'start');
  const [{ id }] = (await json('list')).subscriptions;
  expect(await asked('replay', id, '--from', 'start')).toMatchObject({ code: 0 });
  expect(await at(TOKEN, 'replay', id, '--from', 'start')).toMatchObject({ code: 0 });
  expect(await asked('replay', id)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--from, --since or --delivery'),
  });
  expect(await asked('replay', id, '--since', '2026-01-01T00:00:00Z')).toMatchObject({ code: 0 });
  expect(await asked('replay', id, '--from', 'nonsense')).toMatchObject({
    code: 2,
    err: expect.stringContaining('cursor'),
  });
});

test('a secret of ones own comes from a file, and is never repeated', async () => {
  const { asked, folder } = await lab();
  const to = await receiver();
  const secret = encodeWebhookSecret(new Uint8Array(32).fill(3));
  folder.write({ secret: `${secret}\n`, short: 'whsec_AAAA', empty: '' });
  const file = (name: string) => ['--secret-file', join(folder.path, name)];
  expect(await asked('add', to.origin, ...file('secret'))).toMatchObject({ code: 0, out: secret });
  const refused = await asked('add', to.origin, ...file('short'));
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('24 to 64 bytes') });
  expect(refused.err).not.toContain('whsec_AAAA');
  expect(await asked('add', to.origin, ...file('empty'))).toMatchObject({ code: 2, err: /file of the secret/ });
});

test('without a hub that runs nothing can be done, and that is said', async () => {
  const missing = await linesIn({})('subscription', 'list');
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('--hub') });
  const to = await receiver(() => {});
  await to[Symbol.asyncDispose]();
  expect(await linesIn({})('subscription', 'list', '--hub', to.origin)).toMatchObject({ code: 3 });
  expect(
    await linesIn({})('subscription', 'add', 'https://a.example/', '--wait', '5', '--hub', to.origin),
  ).toMatchObject({
    code: 2,
    err: expect.stringContaining('--batch'),
  });
});

test('a wrong token, a bad address and an unknown id are said', async () => {
  const { asked, at } = await lab();
  const wrong = await at('wrong-token-of-a-hub', 'subscription', 'list');
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('token') });
  expect(await asked('add', 'ftp://a.example/')).toMatchObject({ code: 2, err: expect.stringContaining('url') });
  expect(await asked('remove', 'sub_none')).toMatchObject({ code: 3, err: expect.stringContaining('sub_none') });
});
