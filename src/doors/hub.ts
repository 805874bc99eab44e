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
  /** The folder that relative paths in the settings start from. Default: the working folder. */
  readonly base?: string;
  /** The logger of the hub. Default: none. */
  readonly logger?: HubLogger;
  /** For keys that are sold with Stripe. */
  readonly stripe?: StripeSecrets;
  /** The client secret of this hub at the OpenID provider of `signIn.oidc`. */
  readonly oidcSecret?: string;
}

/**
 * Runs a hub in this process: it watches the sources, keeps one log and serves it as feeds.
 *
 * `settings` are those of `tidings.config.json`. Fails with a {@link TidingsError} if a setting is wrong, the port is taken or another hub holds the data
 * folder.
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
