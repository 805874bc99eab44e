import { expect, test } from 'vitest';
import { newAlertEvent } from '../../../test/support/alert-events.ts';
import { startSilentServer, startSmtpServer } from '../../../test/support/smtp-server.ts';
import type { AlertEvent } from '../../hub/alerts/alert.ts';
import { alertMail } from '../../hub/alerts/alert-mail.ts';
import { openMailer } from './mailer.ts';

const NEVER = new AbortController().signal;
const ADDRESSES = { from: 'hub@acme.example', to: ['ops@acme.example', 'night@acme.example'], host: '127.0.0.1' };
const mailOf = (...events: AlertEvent[]) => alertMail(events, { baseUrl: 'https://hub.example/' });

test('a mail arrives at all who are to get it, as plain text, and says that a machine sent it', async () => {
  await using server = await startSmtpServer();
  const send = await openMailer({ settings: { ...ADDRESSES, port: server.port } });
  await send(mailOf(newAlertEvent({ summary: 'docs cannot be read: 503 — für Ünïcode' })), NEVER);
  const [mail] = server.mails;
  expect(mail).toMatchObject({ from: ADDRESSES.from, to: ADDRESSES.to });
  expect(mail?.raw).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
  expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(mail?.raw).toMatch(/^Message-ID:\s+<alerts\.[0-9A-Z]{26}\.[0-9A-Z]{26}@hub\.example>\r$/m);
});

test('nothing that a source says begins a header, a second mail or a command', async () => {
  await using server = await startSmtpServer();
  const send = await openMailer({ settings: { ...ADDRESSES, port: server.port } });
  const hostile = 'x\r\nBcc: evil@x.example\r\n\r\n.\r\nMAIL FROM:<evil@x.example>\u2028\u0000';
  const event = newAlertEvent({ summary: hostile, subject: hostile, remedy: hostile });
  await send(mailOf(event), NEVER);
  await send(mailOf(event, event), NEVER);
  expect(server.mails.map(({ to }) => to)).toEqual([ADDRESSES.to, ADDRESSES.to]);
  for (const { raw } of server.mails) {
    const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
    expect(
      head
        .split(/\r\n(?! )/)
        .map((line) => line.split(':')[0]?.toLowerCase())
        .sort(),
    ).toEqual([
      'auto-submitted',
      'content-transfer-encoding',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ]);
  }
});

test('a server that refuses, one that is not there and one that says nothing are failures that say so', async () => {
  await using refusing = await startSmtpServer({ refuse: () => 'mailbox\r\nis full' });
  await using silent = await startSilentServer();
  const gone = await startSmtpServer();
  await gone[Symbol.asyncDispose]();
  for (const [port, message] of [
    [refusing.port, /did not take a mail: .*mailbox/],
    [gone.port, /did not take a mail: .*ECONNREFUSED/],
    [silent.port, /longer than 0\.2 s/],
  ] as const) {
    const send = await openMailer({ settings: { ...ADDRESSES, port }, deadlineMs: 200 });
    await expect(send(mailOf(newAlertEvent()), NEVER)).rejects.toThrow(message);
  }
  await expect.poll(() => silent.sockets.size, { message: 'the connection is not left open' }).toBe(0);
});

test('a mail that is under way ends with the hub', async () => {
  await using silent = await startSilentServer();
  const send = await openMailer({ settings: { ...ADDRESSES, port: silent.port } });
  const stop = new AbortController();
  const sending = send(mailOf(newAlertEvent()), stop.signal);
  await expect.poll(() => silent.sockets.size).toBe(1);
  stop.abort();
  await expect(sending).rejects.toThrow('given up');
  await expect.poll(() => silent.sockets.size).toBe(0);
});

test('a password is not sent in the clear', async () => {
  await using server = await startSmtpServer({ user: { name: 'hub', password: 'secret-word' } });
  const settings = { ...ADDRESSES, port: server.port, user: 'hub' };
  const send = await openMailer({ settings, password: 'secret-word' });
  // Its certificate is nobody's: STARTTLS is needed, and fails.
  await expect(send(mailOf(newAlertEvent()), NEVER)).rejects.toThrow(/did not take a mail/);
  expect(server.mails).toEqual([]);
});

test('without the package, the hub says what to install', async () => {
  const opening = openMailer({
    settings: { ...ADDRESSES, port: 25 },
    loadNodemailer: () => Promise.reject(new Error('Cannot find package')),
  });
  await expect(opening).rejects.toThrow(/npm install nodemailer/);
});
