/**
 * tidings.config.json: the settings of a hub, some of which other verbs use too.
 *
 *     { "baseUrl": "https://hub.example/", "port": 8080, "data": "./data",
 *       "sources": [{ "id": "live", "kind": "site", "url": "https://live.example/", "intervalSeconds": 300 }] }
 */

import { resolve } from 'node:path';
import { isBotUrl } from '../../fetch/user-agent.ts';
import type { Extensions } from '../../model/extensions.ts';
import { DEFAULT_ALERTS } from './alert-settings.ts';
import { alertsIn } from './decode-alerts.ts';
import { botAuthIn } from './decode-bot-auth.ts';
import { apiKeys, limits, riskSettings } from './decode-limits.ts';
import { PUBLISH_SHAPE } from './decode-publish.ts';
import { MOST_DAYS, retentionIn } from './decode-retention.ts';
import { RULES_SHAPE } from './decode-rules.ts';
import { signInSettings } from './decode-sign-in.ts';
import { decodeSource } from './decode-source.ts';
import { streams } from './decode-streams.ts';
import { subscriptionEntry } from './decode-subscriptions.ts';
import { webhookSettings } from './decode-webhooks.ts';
import { websubHubSettings } from './decode-websub-hub.ts';
import type { HubConfig, SurfaceSettings, WebSubSubscriberSettings } from './hub-config.ts';
import { DEFAULT_KEY_SOURCES, keySources } from './key-sources.ts';
import { DEFAULT_SELF_SERVICE, selfService } from './self-service.ts';
import { baseUrl, contact, databaseUrl, hostName, network, webUrl, witness } from './setting-addresses.ts';
import {
  type Decode,
  type Fields,
  fieldsOf,
  flag,
  listOf,
  oneOf,
  refused,
  text,
  wholeNumberIn,
} from './setting-decoders.ts';
import { DEFAULT_SIGN_IN } from './sign-in-settings.ts';
import type { SourceConfig } from './source-config.ts';
import { DEFAULT_STREAMS } from './stream-settings.ts';
import { DEFAULT_TIER_LIMITS } from './tiers.ts';

export interface ConfigContext {
  /** The absolute folder of the file: relative paths start there. */
  readonly base: string;
  /** The name of the file in messages. */
  readonly file?: string;
  /** The value of a variable or flag for private addresses; it overrides the file. */
  readonly allowPrivate?: boolean;
  /** The dialects that have a reader. */
  readonly dialects?: readonly string[];
  /** The dialects whose archives may end. */
  readonly archived?: readonly string[];
}

const CONFIG_FILE = 'tidings.config.json';
const MAX_SOURCES = 100_000;
const MAX_SUBSCRIPTIONS = 1000;

const DAY_SECONDS = 86_400;

/** Every key of the file. */
function settingsShape(context: ConfigContext, allowPrivate: boolean) {
  const path: Decode<string> = (value, at) => resolve(context.base, text(4096)(value, at));
  return {
    $schema: text(4096),
    site: baseUrl,
    ...PUBLISH_SHAPE,
    ...RULES_SHAPE,
    botUrl,
    botAuth: botAuthIn(path),
    contact,
    cooldownMs: wholeNumberIn(0, DAY_SECONDS * 1000),
    cache: path,
    ca: path,
    logKey: path,
    witnesses: listOf(witness, { most: 20 }),
    allowPrivate: flag,
    allowUnsandboxedBrowser: flag,
    baseUrl,
    host: hostName,
    port: wholeNumberIn(0, 65_535),
    data: path,
    database: databaseUrl,
    leaseSeconds: wholeNumberIn(1, 300),
    sources: sourcesIn(context, allowPrivate),
    subscriptions: listOf(subscriptionEntry(path), { most: MAX_SUBSCRIPTIONS }),
    concurrency: wholeNumberIn(1, 256),
    trustProxies: listOf(network, { most: 100 }),
    hosts: listOf(hostName, { most: 100 }),
    connectionsPerClient: wholeNumberIn(0, 65_536),
    streams,
    honestyPages: wholeNumberIn(0, 100),
    websubSubscriber,
    ttlSeconds: wholeNumberIn(0, 365 * DAY_SECONDS),
    license: text(500),
    about: webUrl,
    snapshotDays: wholeNumberIn(0, MOST_DAYS),
    retention: retentionIn(context.archived ?? []),
    webhooks: webhookSettings,
    excerpts: flag,
    digests: flag,
    extensions: decodeExtensions,
    limits,
    apiKeys,
    keySources,
    selfService,
    alerts: alertsIn(path),
    risk: riskSettings,
    signIn: signInSettings,
    access: oneOf(['public', 'private']),
    websubHub: websubHubSettings,
    surface: surfaceIn(path),
  };
}

/** The content of the file, without defaults. */
export type Settings = Omit<Fields<ReturnType<typeof settingsShape>>, '$schema'>;

/** Throws a {@link SettingRefusedError} that names the first unknown or wrong key. */
export function decodeSettings(value: unknown, context: ConfigContext): Settings {
  const at = `${context.file ?? CONFIG_FILE}: `;
  // Read first, because the minimum interval of sources depends on it.
  const said = typeof value === 'object' && value !== null && 'allowPrivate' in value && value.allowPrivate === true;
  const { $schema, ...settings } = fieldsOf(settingsShape(context, context.allowPrivate ?? said), value, at);
  return settings;
}

/** `{ "enabled": true, "restFactor": 6 }` */
const websubSubscriber: Decode<WebSubSubscriberSettings> = (value, at) =>
  fieldsOf({ enabled: flag, restFactor: wholeNumberIn(1, 24) }, value, at);

/** The settings of the hub, with every default except those that depend on the port. */
export function decodeHubConfig(value: unknown, context: ConfigContext): HubConfig {
  const { site, cache, allowUnsandboxedBrowser, snapshotDays, retention, ...settings } = decodeSettings(value, context);
  return {
    host: '127.0.0.1',
    port: 8080,
    data: resolve(context.base, 'data'),
    sources: [],
    concurrency: 16,
    trustProxies: [],
    streams: DEFAULT_STREAMS,
    retention: { ...(snapshotDays !== undefined && { snapshots: { days: snapshotDays } }), ...retention },
    extensions: {},
    limits: DEFAULT_TIER_LIMITS,
    apiKeys: { provider: 'none' },
    keySources: DEFAULT_KEY_SOURCES,
    selfService: DEFAULT_SELF_SERVICE,
    alerts: DEFAULT_ALERTS,
    risk: { rules: {} },
    signIn: DEFAULT_SIGN_IN,
    access: 'public',
    ...settings,
    allowPrivate: context.allowPrivate ?? settings.allowPrivate ?? false,
  };
}

/** The surface of the hub itself: `{ "dir": "./surface", "site": "https://hub.example/", "key": "./key.json" }`. */
function surfaceIn(path: Decode<string>): Decode<SurfaceSettings> {
  return (value, at) => {
    const { dir, ...rest } = fieldsOf({ dir: path, site: baseUrl, key: path }, value, at);
    if (dir === undefined) throw refused(`${at}.dir`, dir, 'Name the folder that tidings surface writes to.');
    return { dir, ...rest };
  };
}

const botUrl: Decode<string> = (value, at) => {
  if (typeof value === 'string' && isBotUrl(value)) return value;
  throw refused(at, value, 'Give the http(s) URL of a page about your crawler.');
};

function sourcesIn(context: ConfigContext, allowPrivate: boolean): Decode<readonly SourceConfig[]> {
  const { base, dialects } = context;
  const list = listOf((value, at) => decodeSource(value, { allowPrivate, base, dialects, at }), { most: MAX_SOURCES });
  return (value, at) => {
    const sources = list(value, at);
    const places = new Map<string, number>();
    for (const [index, { id }] of sources.entries()) {
      const earlier = places.get(id);
      if (earlier !== undefined) {
        throw refused(`${at}[${index}].id`, id, `It is the id of sources[${earlier}] already. Give each its own.`);
      }
      places.set(id, index);
    }
    return sources;
  };
}

/** Which extensions of AICF are on, and their options. */
export const decodeExtensions: Decode<Extensions> = (value, at) => {
  const shape = { chunkHints, billingHints };
  const { chunkHints: chunks, billingHints: billing } = fieldsOf(shape, value, at);
  return { ...(chunks && { chunkHints: chunks }), ...(billing && { billingHints: billing }) };
};

const chunkHints: Decode<Extensions['chunkHints']> = (value, at) => {
  if (typeof value === 'boolean') return value ? {} : undefined;
  return fieldsOf({ embedRef }, value, at);
};

const PLACEHOLDER = '{chunk_id}';

const embedRef: Decode<string> = (value, at) => {
  webUrl(value, at);
  if (typeof value === 'string' && value.includes(PLACEHOLDER)) return value;
  throw refused(at, value, `Say with ${PLACEHOLDER} where the name of the chunk stands.`);
};

const billingHints: Decode<Extensions['billingHints']> = (value, at) => {
  if (value === false) return undefined;
  const { plan, unit } = fieldsOf({ plan: text(100), unit: oneOf(['bytes', 'tokens']) }, value, at);
  if (plan === undefined) throw refused(`${at}.plan`, plan, 'Name the plan, like free.');
  if (unit === undefined) throw refused(`${at}.unit`, unit, 'Give one of bytes, tokens.');
  return { plan, unit };
};
