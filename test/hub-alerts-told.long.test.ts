import { expect, test, vi } from 'vitest';
import { decodeAtomFeed } from '../src/codecs/atom/decode-feed.ts';
import { alertsHub, WAIT } from './support/alerts-hub.ts';
import { operate } from './support/operator.ts';
import { startSmtpServer } from './support/smtp-server.ts';

const FILLING = { freeMegabytes: 1_000_000_000 };
const mailTo = (port: number) => ({
  to: 'ops@acme.example',
  from: 'hub@acme.example',
  host: '127.0.0.1',
  port,
  secure: false,
  intervalSeconds: 1,
});

test.concurrent('an alert and its end are mailed once each, also over restarts, and a refusal is seen', async ({
  onTestFinished,
}) => {
  const server = { refusal: undefined as string | undefined };
  await using smtp = await startSmtpServer({ refuse: () => server.refusal });
  await using other = await startSmtpServer();
  const at = alertsHub(onTestFinished);
  const mail = mailTo(smtp.port);
  server.refusal = `4.7.1 ask 127.0.0.1:${other.port} instead`;
  await at.start([], { ...FILLING, mail });
  const status = async () => (await at.told()).mail;
  await vi.waitFor(async () => expect(await status()).toMatchObject({ waiting: 1, failures: 1 }), WAIT);
  expect((await status())?.error).toContain('4.7.1');
  server.refusal = undefined;
  // What was not taken before a stop is sent after the next start.
  await at.start([], { ...FILLING, mail });
  const subjects = () =>
    smtp.mails.map(({ raw }) => /^Subject: (.*(?:\r\n .*)*)/m.exec(raw)?.[1]?.replace(/\r\n/g, ''));
  await vi.waitFor(
    () => expect(subjects()).toEqual([expect.stringContaining('The disk of the data folder fills')]),
    WAIT,
  );
  await vi.waitFor(async () => expect(await status()).toMatchObject({ waiting: 0 }), WAIT);
  await at.start([], { mail });
  await vi.waitFor(() => expect(subjects()).toHaveLength(2), WAIT);
  expect(subjects()[1]).toContain('Over: The disk of the data folder fills');
  const isSettled = () => vi.waitFor(async () => expect(await status()).toMatchObject({ waiting: 0 }), WAIT);
  await isSettled();
  await at.start([], { mail });
  await isSettled();
  expect(smtp.mails).toHaveLength(2);
  expect(smtp.mails[0]).toMatchObject({ from: 'hub@acme.example', to: ['ops@acme.example'] });
  expect(other.connections, 'only the server of the config is asked').toBe(0);
});

test.concurrent('alerts are a feed for who has its password, and part of the status', async ({ onTestFinished }) => {
  const at = alertsHub(onTestFinished);
  await at.start([], FILLING);
  await vi.waitFor(async () => expect((await at.told()).open).toHaveLength(1), WAIT);
  const { feed, open } = await at.told();
  const get = (authorization?: string, headers = {}) =>
    fetch(`${at.url()}alerts.atom`, { headers: { ...headers, ...(authorization !== undefined && { authorization }) } });
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  for (const wrong of [undefined, basic('alerts', 'no'), basic('admin', feed.password), 'Bearer no', 'Basic !']) {
    expect([wrong, (await get(wrong)).status]).toEqual([wrong, 401]);
  }
  expect((await fetch(`${at.url()}api/v1/alerts`)).status).toBe(401);
  const opened = await fetch(`${at.url()}api/v1/keys`, { headers: { authorization: basic('alerts', feed.password) } });
  expect(opened.status, 'the password opens nothing else').toBe(401);
  const answer = await get(basic(feed.user, feed.password));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/atom+xml']);
  const etag = answer.headers.get('etag') ?? '';
  const decoded = decodeAtomFeed(await answer.text());
  expect(decoded).toMatchObject({ ok: true, value: { items: [{ title: 'disk.filling hub' }] } });
  expect((await get(basic(feed.user, feed.password), { 'if-none-match': etag })).status).toBe(304);

  const shown = await operate(['status', '--data', at.data]);
  expect(shown.out).toContain(`ALERT     critical  disk.filling  ${open[0]?.summary}`);
  const asked = await operate(['status', '--hub', at.url(), '--json'], { TIDINGS_TOKEN: 'tdg_0123456789abcdef' });
  expect(JSON.parse(asked.out)).toMatchObject({ alerts: [{ kind: 'disk.filling', subject: 'hub' }] });
});
