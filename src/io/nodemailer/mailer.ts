import { connect, isIP, type Socket } from 'node:net';
import type Nodemailer from 'nodemailer';
import { MailError } from '../../errors/mail-error.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import type { SendMail } from '../../hub/alerts/mail-sender.ts';
import { plainLine } from '../../hub/alerts/plain-line.ts';
import type { MailSettings } from '../../hub/config/alert-settings.ts';

export interface MailerOptions {
  readonly settings: Omit<MailSettings, 'passwordFile' | 'intervalSeconds'>;
  readonly password?: string;
  /** Certificate authorities in PEM, beside the usual ones. */
  readonly ca?: string;
  /** For one mail, from the first byte to the last; 30 s unless said otherwise. */
  readonly deadlineMs?: number;
  readonly loadNodemailer?: () => Promise<typeof Nodemailer>;
}

const DEADLINE_MS = 30_000;

/**
 * Sends mails over one SMTP server, which is set in the config: no source, client or feed can name another. Each mail has a separate connection, which ends
 * with it, its deadline or the hub.
 */
export async function openMailer(options: MailerOptions): Promise<SendMail> {
  const { settings, password, ca, deadlineMs = DEADLINE_MS } = options;
  const nodemailer = await nodemailerOf(options);
  const { host, port, secure, user, from, to } = settings;
  const server = `${host}:${port}`;
  return async (mail, signal) => {
    const deadline = AbortSignal.timeout(deadlineMs);
    const over = AbortSignal.any([signal, deadline]);
    let socket: Socket | undefined;
    const transport = nodemailer.createTransport({
      host,
      port,
      secure: secure === true,
      ignoreTLS: secure === false,
      requireTLS: user !== undefined && secure !== true,
      ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
      tls: { ...(isIP(host) === 0 && { servername: host }), ...(ca !== undefined && { ca }) },
      disableFileAccess: true,
      disableUrlAccess: true,
      // The hub owns the connection, so that it can end it.
      getSocket: (_: unknown, done: (error: Error | null, given?: { connection: Socket }) => void) => {
        socket = connected({ host, port, signal: over }, done);
      },
    });
    const { subject, text, messageId } = mail;
    const sending = transport.sendMail({ from, to: [...to], subject, text, messageId, headers: AUTOMATIC });
    try {
      await Promise.race([sending, aborted(over)]);
    } catch (error) {
      throw new MailError(server, reasonOf(error, deadline.aborted, deadlineMs), { cause: error });
    } finally {
      sending.catch(() => undefined);
      socket?.destroy();
      transport.close();
    }
  };
}

/** Nobody's absence is answered to it (RFC 3834). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' };

function connected(
  { host, port, signal }: { readonly host: string; readonly port: number; readonly signal: AbortSignal },
  done: (error: Error | null, given?: { connection: Socket }) => void,
): Socket {
  const socket = connect({ host, port });
  const fail = (error: Error) => done(error);
  socket.once('error', fail);
  socket.once('connect', () => {
    socket.off('error', fail);
    done(null, { connection: socket });
  });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  return socket;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new Error('It was given up.'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function reasonOf(error: unknown, isLate: boolean, deadlineMs: number): string {
  if (isLate) return `it took longer than ${deadlineMs / 1000} s.`;
  return plainLine(error instanceof Error ? error.message : String(error));
}

async function nodemailerOf({ loadNodemailer = load }: MailerOptions): Promise<typeof Nodemailer> {
  try {
    return await loadNodemailer();
  } catch {
    const advice = 'The package nodemailer is missing; install it beside tidings (npm install nodemailer@10).';
    throw new SettingRefusedError('alerts.mail', '(given)', advice);
  }
}

async function load(): Promise<typeof Nodemailer> {
  return (await import('nodemailer')).default;
}
