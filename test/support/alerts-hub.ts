import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type HubSettings, startHub } from '../../src/doors/hub.ts';
import type { RunningHub } from '../../src/doors/run-hub.ts';
import type { AlertEventView, AlertView } from '../../src/hub/alerts/alert-view.ts';
import type { MailStatus } from '../../src/hub/alerts/mail-sender.ts';
import type { WatchedSource } from '../../src/hub/store/hub-store.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import { temporaryFolder } from './site.ts';

const TOKEN = 'tdg_0123456789abcdef';
const AT_ONCE = { holdSeconds: 0, easeSeconds: 0, failedChecks: 2, freeMegabytes: 0, diskDays: 0 };
export const WAIT = { timeout: 20_000, interval: 50 };

interface Told {
  readonly open: readonly AlertView[];
  readonly recent: readonly AlertEventView[];
  readonly feed: { readonly url: string; readonly user: string; readonly password: string };
  readonly mail?: MailStatus;
}

/** A real hub over a folder, which can be restarted with other settings. */
export function alertsHub(onTestFinished: (end: () => Promise<void>) => void) {
  const folder = temporaryFolder();
  const data = join(folder.path, 'data');
  let hub: RunningHub | undefined;
  onTestFinished(async () => {
    await hub?.close();
    folder[Symbol.dispose]();
  });
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    return await fetch(`${hub?.url}${path}`, { ...init, headers });
  };
  const told = async () => (await (await ask('api/v1/alerts')).json()) as Told;
  return {
    folder,
    data,
    ask,
    told,
    /** Its address. */
    url: () => hub?.url ?? '',
    async start(sources: readonly object[], alerts: object = {}) {
      await hub?.close();
      const webhooks = { firstRetryMs: 100 };
      const own = { port: 0, data, allowPrivate: true, cooldownMs: 0, webhooks };
      const settings = { ...own, sources, alerts: { ...AT_ONCE, ...alerts } };
      hub = await startHub(settings as HubSettings, { token: TOKEN, base: folder.path });
      return hub;
    },
    async stop() {
      await hub?.close();
      hub = undefined;
    },
    /** The reported events, oldest first. */
    async lines() {
      return (await told()).recent.map(({ type, alert }) => `${type} ${alert.kind} ${alert.subject}`).reverse();
    },
    async metric(kind: string) {
      const text = await (await ask('metrics')).text();
      return Number(new RegExp(`^tidings_alerts_open\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
    },
    /** Changes the stored sources of the stopped hub. */
    async remember(edit: (source: WatchedSource) => WatchedSource) {
      await using store = await openSqliteHubStore({ folder: data });
      await store.putSources((await store.sources()).map(edit));
    },
  };
}

export type AlertsHub = ReturnType<typeof alertsHub>;

/** Expects an alert to be raised once and cleared once, and not again after a restart. */
export async function expectOnce(at: AlertsHub, kind: string, { subject, clear, restart }: Once): Promise<void> {
  const raised = `alert.raised ${kind} ${subject}`;
  const cleared = `alert.cleared ${kind} ${subject}`;
  const ofKind = async () => (await at.lines()).filter((line) => line.includes(` ${kind} `));
  await vi.waitFor(async () => expect(await ofKind()).toEqual([raised]), WAIT);
  expect(await at.metric(kind)).toBe(1);
  const { open } = await at.told();
  const alert = open.find((one) => one.kind === kind);
  expect(alert).toMatchObject({ subject, summary: expect.any(String), remedy: expect.any(String) });
  await restart?.();
  await clear();
  await vi.waitFor(async () => expect(await ofKind()).toEqual([raised, cleared]), WAIT);
  expect(await at.metric(kind)).toBe(0);
  const events = (await at.told()).recent.filter((event) => event.alert.kind === kind);
  expect(new Set(events.map((event) => event.alert.id)).size, 'the same alert').toBe(1);
}

interface Once {
  readonly subject: string;
  /** Ends the problem. */
  readonly clear: () => Promise<unknown> | unknown;
  /** A restart in between: open alerts stay open, and are not reported again. */
  readonly restart?: () => Promise<unknown>;
}
