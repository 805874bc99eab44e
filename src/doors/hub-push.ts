import { subscriberSigns } from '../hub/alerts/subscriber-signs.ts';
import { hubAlerts } from './hub-alerts.ts';
import { hubEvents } from './hub-events.ts';
import { hubSubscriber } from './hub-subscriber.ts';
import { hubWebhooks } from './hub-webhooks.ts';
import { openHubWebSub } from './hub-websub.ts';
import type { HubPushParts, PushPart } from './push-part.ts';

/** A hub of one process always pushes itself. */
const ALWAYS: NonNullable<HubPushParts['projector']> = { isHeld: true, onTurn: () => {} };

type OpenPart = (parts: HubPushParts) => Promise<PushPart>;

/** The push channels. Each reads the log with its own cursor through the one tail. */
const WAYS: readonly OpenPart[] = [hubAlertsAndWebhooks, hubEvents, hubSubscriber, (parts) => openHubWebSub(parts)];

/** Problems of the hub are also sent by webhook, and a subscriber that gets nothing raises an alert. */
async function hubAlertsAndWebhooks(parts: HubPushParts): Promise<PushPart> {
  const alerts = await hubAlerts(parts);
  try {
    const webhooks = await hubWebhooks(parts, { alerts: alerts.log });
    alerts.watchSubscribers(() => subscriberSigns(webhooks.engine));
    return {
      routes: [...alerts.routes, ...webhooks.routes],
      sights: { ...alerts.sights, ...webhooks.sights },
      begin() {
        alerts.begin?.();
        webhooks.begin?.();
      },
      async rest() {
        await Promise.all([alerts.rest?.(), webhooks.rest?.()]);
      },
      async close() {
        await Promise.all([alerts.close(), webhooks.close()]);
      },
    };
  } catch (error) {
    await alerts.close();
    throw error;
  }
}

export async function hubPush(parts: HubPushParts): Promise<PushPart> {
  const { projector = ALWAYS } = parts;
  const opened: PushPart[] = [];
  let closing: Promise<unknown> | undefined;
  const close = async () => {
    closing ??= Promise.all(opened.map((part) => part.close()));
    await closing;
  };
  try {
    for (const open of WAYS) opened.push(await open(parts));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    routes: opened.flatMap(({ routes }) => routes),
    begin() {
      for (const part of opened) if (part.rest === undefined || projector.isHeld) part.begin?.();
      projector.onTurn((isHeld) => {
        for (const part of opened.filter(({ rest }) => rest !== undefined)) {
          if (isHeld) part.begin?.();
          else void Promise.resolve(part.rest?.()).catch(parts.onBug);
        }
      });
    },
    heard(event) {
      for (const part of opened) part.heard?.(event);
    },
    looked: (look) => Math.max(1, ...opened.map((part) => part.looked?.(look) ?? 1)),
    notesOf: (source) => opened.flatMap((part) => part.notesOf?.(source) ?? []),
    sights: Object.assign({}, ...opened.map(({ sights }) => sights)),
    webSubOf: (source) => opened.flatMap((part) => part.webSubOf?.(source) ?? [])[0],
    close,
  };
}
