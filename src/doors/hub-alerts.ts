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

/** The alerts of a hub. */
export interface HubAlerts extends PushPart {
  /** For webhooks of the topic `alerts`. */
  readonly log: AlertLog;
  /** Looks at these subscribers from now on. */
  watchSubscribers(read: () => readonly SubscriberSign[]): void;
}

/** A tenth of the time that something must hold, within these. */
const [SHORTEST_LOOK_MS, LONGEST_LOOK_MS] = [250, 5000];
const SENT = 'mail.sent';

/** `/api/v1/alerts`, `/alerts.atom`, mails: what an operator should know of, told once, and once when it is over. */
export async function hubAlerts(parts: HubPushParts): Promise<HubAlerts> {
  const { config, store: hubStore, epoch, metrics, logger, baseUrl, onBug } = parts;
  const now = Date.now;
  const store = hubStore.openTables(openSqliteAlerts);
  const log = new AlertLog({ store, epoch, random: randomSecretBytes });
  const board = new AlertBoard(ALERT_RULES, config.alerts, store.open());
  const mail = await openMail(parts, log, store);
  const signs = new HubSignReader(parts, store);
  metrics.watchAlerts(() => board.count());

  const look = async () => {
    log.settle();
    const step = board.look(await signs.read(now()));
    if (step.raised.length + step.cleared.length > 0) {
      for (const event of log.append(step, now())) {
        const { type, alert } = event;
        if (type === 'alert.raised') board.tell(alert);
        else board.end(alert);
        say(logger, event);
      }
    }
    signs.keep(now());
    mail?.nudge();
  };
  const sight = { open: () => board.open(), recent: (limit: number) => log.recent(limit) };
  let stop = () => {};
  return {
    log,
    sights: { alerts: sight },
    watchSubscribers: (read) => signs.watchSubscribers(read),
    routes: alertRoutes({
      ...sight,
      ...(mail && { mail: () => mail.status }),
      adminHash: parts.adminHash,
      hubId: parts.hubId,
      baseUrl,
      now,
    }),
    begin() {
      stop = repeat(lookEveryMs(config.alerts), () => look().catch(onBug));
    },
    async close() {
      stop();
      mail?.close();
      signs.close();
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

async function openMail(parts: HubPushParts, log: AlertLog, store: AlertStore): Promise<MailSender | undefined> {
  const { config, logger, baseUrl } = parts;
  const { mail } = config.alerts;
  if (mail === undefined) return undefined;
  // Is large, and of others: it is loaded where mails are sent.
  const { openMailer } = await import('../io/nodemailer/mailer.ts');
  const { passwordFile, intervalSeconds, ...settings } = mail;
  const send = await openMailer({
    settings,
    ...(passwordFile !== undefined && { password: await readSecret(passwordFile, 'password') }),
    ...(config.ca !== undefined && { ca: await readAuthority(config.ca) }),
  });
  const sent = store.state(SENT);
  return new MailSender({
    send,
    log,
    sentSeq: sent === undefined ? undefined : Number(sent),
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
}
