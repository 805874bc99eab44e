import type { AlertEvent } from '../hub/alerts/alert.ts';
import { AlertBoard } from '../hub/alerts/alert-board.ts';
import { AlertLog } from '../hub/alerts/alert-log.ts';
import { ALERT_RULES, type SubscriberSign } from '../hub/alerts/alert-rules.ts';
import type { AlertStore } from '../hub/alerts/alert-store.ts';
import { MailSender } from '../hub/alerts/mail-sender.ts';
import type { AlertSettings } from '../hub/config/alert-settings.ts';
import { alertRoutes } from '../hub/routes/alert-routes.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { readAuthority } from '../io/files/authority.ts';
import { readSecret } from '../io/files/secret.ts';
import { randomSecretBytes } from '../io/node/random-token.ts';
import { alarm, repeat } from '../io/node/timer-alarm.ts';
import { openSqliteAlerts } from '../io/sqlite/alerts.ts';
import { HubSignReader } from './hub-signs.ts';
import type { HubPushParts, PushPart } from './push-part.ts';

export interface HubAlerts extends PushPart {
  /** For webhooks of the topic `alerts`. */
  readonly log: AlertLog;
  /** Watches these subscribers from now on. */
  watchSubscribers(read: () => readonly SubscriberSign[]): void;
}

/** A tenth of the time that a condition must hold, within these limits. */
const [SHORTEST_LOOK_MS, LONGEST_LOOK_MS] = [250, 5000];
const SENT = 'mail.sent';

/** `/api/v1/alerts`, `/alerts.atom` and mails: reports each problem to the operator once when it begins, and once when it is over. */
export async function hubAlerts(parts: HubPushParts): Promise<HubAlerts> {
  const { store: hubStore, epoch, metrics, baseUrl } = parts;
  const store = hubStore.openTables(openSqliteAlerts);
  const log = new AlertLog({ store, epoch, random: randomSecretBytes });
  const newMail = await mailMaker(parts, log, store);
  let readSubscribers: (() => readonly SubscriberSign[]) | undefined;
  /** Absent while another process of the hub does this work. */
  let work: AlertWork | undefined;
  const rest = async () => {
    const ended = work;
    work = undefined;
    await ended?.close();
  };
  const sight = {
    open: () => work?.board.open() ?? store.open().toReversed(),
    recent: (limit: number) => log.recent(limit),
  };
  const unsent = () => log.newestSeq - Number(store.state(SENT) ?? log.newestSeq);
  metrics.watchAlerts(() => work?.board.count() ?? {});
  return {
    log,
    sights: { alerts: sight },
    watchSubscribers: (read) => {
      readSubscribers = read;
    },
    routes: alertRoutes({
      ...sight,
      ...(newMail && { mail: () => work?.mail?.status ?? { waiting: unsent() } }),
      adminHash: parts.adminHash,
      hubId: parts.hubId,
      baseUrl,
      now: Date.now,
    }),
    begin() {
      work ??= beginWork(parts, { store, log, mail: newMail?.(), readSubscribers });
    },
    rest,
    close: rest,
  };
}

/** Watches the hub and reports what it finds. */
interface AlertWork {
  readonly board: AlertBoard;
  readonly mail: MailSender | undefined;
  close(): Promise<void>;
}

interface WorkParts {
  readonly store: AlertStore;
  readonly log: AlertLog;
  readonly mail: MailSender | undefined;
  readonly readSubscribers: (() => readonly SubscriberSign[]) | undefined;
}

function beginWork(parts: HubPushParts, { store, log, mail, readSubscribers }: WorkParts): AlertWork {
  const { config, logger, onBug } = parts;
  const now = Date.now;
  const board = new AlertBoard(ALERT_RULES, config.alerts, store.open());
  const signs = new HubSignReader(parts, store);
  if (readSubscribers !== undefined) signs.watchSubscribers(readSubscribers);
  const look = async () => {
    await log.settle();
    const step = board.look(await signs.read(now()));
    if (step.raised.length + step.cleared.length > 0) {
      for (const event of await log.append(step, now())) {
        const { type, alert } = event;
        if (type === 'alert.raised') board.tell(alert);
        else board.end(alert);
        say(logger, event);
      }
    }
    await signs.keep(now());
    mail?.nudge();
  };
  const stop = repeat(lookEveryMs(config.alerts), () => look().catch(onBug));
  return {
    board,
    mail,
    async close() {
      stop();
      mail?.close();
      await signs.close();
    },
  };
}

function lookEveryMs({ holdSeconds }: AlertSettings): number {
  return Math.min(Math.max(holdSeconds * 100, SHORTEST_LOOK_MS), LONGEST_LOOK_MS);
}

function say(logger: HubLogger, { type, alert }: AlertEvent): void {
  const { id, kind, severity, subject, remedy } = alert;
  const fields = { alert: id, kind, severity, subject };
  if (type === 'alert.cleared') logger.info(fields, `Over: ${alert.summary}`);
  else logger.warn({ ...fields, remedy }, `Alert: ${alert.summary}`);
}

/** Undefined if no mails are sent. */
async function mailMaker(
  parts: HubPushParts,
  log: AlertLog,
  store: AlertStore,
): Promise<(() => MailSender) | undefined> {
  const { config, logger, baseUrl } = parts;
  const { mail } = config.alerts;
  if (mail === undefined) return undefined;
  // A large third-party package: loaded only if mails are sent.
  const { openMailer } = await import('../io/nodemailer/mailer.ts');
  const { passwordFile, intervalSeconds, ...settings } = mail;
  const send = await openMailer({
    settings,
    ...(passwordFile !== undefined && { password: await readSecret(passwordFile, 'password') }),
    ...(config.ca !== undefined && { ca: await readAuthority(config.ca) }),
  });
  const sentSeq = () => {
    const sent = store.state(SENT);
    return sent === undefined ? undefined : Number(sent);
  };
  const make = () =>
    new MailSender({
      send,
      log,
      sentSeq: sentSeq(),
      keepSent: (seq) => store.write({ state: { [SENT]: String(seq) } }),
      intervalMs: intervalSeconds * 1000,
      baseUrl,
      now: Date.now,
      alarm,
      onTurn(error) {
        if (error === undefined) logger.info({}, 'Mails of alerts are taken again');
        else logger.error({ error }, 'A mail of alerts was not taken; it is tried again');
      },
    });
  return make;
}
