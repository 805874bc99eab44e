import { resolve } from 'node:path';
import type { HubLogger } from '../hub/watch/logger.ts';
import type { HubSettings } from './hub-settings.ts';
import type { StripeSecrets } from './open-payments.ts';
import { type RunningHub, runHub } from './run-hub.ts';
import { hubConfigOf } from './settings.ts';

export type { HubLogger, LogFields } from '../hub/watch/logger.ts';
export type {
  AutoSource,
  FeedSource,
  FolderSource,
  HubSettings,
  PageSource,
  SiteSource,
  SourceSettings,
} from './hub-settings.ts';
export type { RunningHub } from './run-hub.ts';

export interface StartHubOptions {
  /** The token of the hub's admin. Absent: the one of an earlier start, else a new one. */
  readonly token?: string;
  /** Where relative paths of the settings begin; the working folder unless said otherwise. */
  readonly base?: string;
  /** Where the hub says what it does; nowhere unless given. */
  readonly logger?: HubLogger;
  /** Where keys are sold with Stripe. */
  readonly stripe?: StripeSecrets;
  /** What the OpenID provider of `signIn.oidc` knows this hub by. */
  readonly oidcSecret?: string;
}

/**
 * Runs a hub in this process: watches the sources, keeps one log, serves it as feeds.
 *
 * `settings` are those of `tidings.config.json`. Fails with a {@link TidingsError} where a setting is wrong, the port is taken or
 * another hub has the data folder.
 *
 * @example
 * await using hub = await startHub({
 *   data: './data',
 *   port: 0,
 *   sources: [{ id: 'docs', kind: 'folder', path: './site', site: 'https://docs.example/' }],
 * });
 * console.log(hub.url);
 */
export async function startHub(settings: HubSettings, options: StartHubOptions = {}): Promise<RunningHub> {
  const { token, base = '.', logger = SILENT, stripe, oidcSecret } = options;
  const config = hubConfigOf(settings, { base: resolve(base) });
  return await runHub(config, {
    logger,
    ...(token !== undefined && { token }),
    ...(stripe !== undefined && { stripe }),
    oidcSecret,
  });
}

const SILENT: HubLogger = { debug() {}, info() {}, warn() {}, error() {} };

export type { StripeSecrets } from './open-payments.ts';
