import { hubEvents } from './hub-events.ts';
import { hubSubscriber } from './hub-subscriber.ts';
import { hubWebhooks } from './hub-webhooks.ts';
import { openHubWebSub } from './hub-websub.ts';
import type { HubPushParts, PushPart } from './push-part.ts';

type OpenPart = (parts: HubPushParts) => Promise<PushPart>;

/** The ways of telling others, each of which reads the log by its own cursor through the one tail. */
const WAYS: readonly OpenPart[] = [
  hubEvents,
  hubSubscriber,
  (parts) => openHubWebSub(parts),
  (parts) => hubWebhooks(parts),
];

export async function hubPush(parts: HubPushParts): Promise<PushPart> {
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
      for (const part of opened) part.begin?.();
    },
    heard(event) {
      for (const part of opened) part.heard?.(event);
    },
    looked: (look) => Math.max(1, ...opened.map((part) => part.looked?.(look) ?? 1)),
    notesOf: (source) => opened.flatMap((part) => part.notesOf?.(source) ?? []),
    webSubOf: (source) => opened.flatMap((part) => part.webSubOf?.(source) ?? [])[0],
    close,
  };
}
