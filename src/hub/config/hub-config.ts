import type { RiskWeights } from '../../extract/risk/risk-rules.ts';
import type { Extensions } from '../../model/extensions.ts';
import type { AlertSettings } from './alert-settings.ts';
import type { BotAuthSettings } from './decode-bot-auth.ts';
import type { SubscriptionEntry } from './decode-subscriptions.ts';
import type { WebhookSettings } from './decode-webhooks.ts';
import type { KeySourceRules } from './key-sources.ts';
import type { Retention } from './retention.ts';
import type { SelfServiceSettings } from './self-service.ts';
import type { SignInSettings } from './sign-in-settings.ts';
import type { SourceConfig } from './source-config.ts';
import type { StreamSettings } from './stream-settings.ts';
import type { SoldTier, TierLimits } from './tiers.ts';

/** The settings of a hub, decoded: every path is absolute, and every default is filled in except those that depend on the port. */
export interface HubConfig {
  /** The public base URL of the hub, with a final slash. Absent: the address that it listens on. */
  readonly baseUrl?: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The data folder. */
  readonly data: string;
  /** For a hub of several processes: the PostgreSQL database that they share. Absent: the hub uses only its data folder. */
  readonly database?: string;
  /** For a hub of several processes: how long the others wait for a silent one. Absent: 5 s. */
  readonly leaseSeconds?: number;
  readonly allowPrivate: boolean;
  readonly sources: readonly SourceConfig[];
  /** Webhook subscribers, in addition to those that were added elsewhere. */
  readonly subscriptions?: readonly SubscriptionEntry[];
  /** A page about the operator of the crawler, named in the User-Agent. Absent: the hub's own, if its `baseUrl` is on the public web. */
  readonly botUrl?: string;
  /** How the crawler signs its requests. Absent: it does not. */
  readonly botAuth?: BotAuthSettings;
  /** The contact for site owners: a mail address or the URL of a page. */
  readonly contact?: string;
  readonly cooldownMs?: number;
  readonly ca?: string;
  /** The witnesses that cosign its checkpoints: `<vkey>@<url>` each. */
  readonly witnesses?: readonly string[];
  /** How many sources are read at the same time. */
  readonly concurrency: number;
  /** Addresses or networks (`10.0.0.0/8`) whose `X-Forwarded-For` is trusted. */
  readonly trustProxies: readonly string[];
  /** Further names under which a hub on loopback answers, besides those of `baseUrl` and of loopback. */
  readonly hosts?: readonly string[];
  /** The maximum of connections per client address; 0: no limit. Absent: 64. Those of `trustProxies` are not counted. */
  readonly connectionsPerClient?: number;
  /** Event streams, which are counted separately from other connections. */
  readonly streams: StreamSettings;
  /** How many pages per feed are sampled once a day, to see whether it tells the truth; 0: none. Absent: 5. */
  readonly honestyPages?: number;
  readonly websubSubscriber?: WebSubSubscriberSettings;
  /** How long readers may treat feeds as fresh (`ttl_seconds`, `max-age`). Absent: they ask each time. */
  readonly ttlSeconds?: number;
  readonly license?: string;
  readonly about?: string;
  /** How much of the growing data is kept; everything by default. */
  readonly retention: Retention;
  /** Whether the log keeps short texts of pages, before and after a change. Default: true. */
  readonly excerpts?: boolean;
  /** Whether feeds and documents carry the digest of their bytes. Default: true. */
  readonly digests?: boolean;
  /** The extensions of AICF that are on. */
  readonly extensions: Extensions;
  /** Requests per minute for DiffDelta's files, by tier. */
  readonly limits: TierLimits;
  readonly apiKeys: ApiKeySettings;
  /** When and how operators are alerted. */
  readonly alerts: AlertSettings;
  /** What the owner of an enterprise key may watch. */
  readonly keySources: KeySourceRules;
  /** What strangers may ask to be followed. */
  readonly selfService: SelfServiceSettings;
  readonly risk: RiskSettings;
  readonly signIn: SignInSettings;
  /** Who may read: anyone, or only people who are signed in or have the token or an API key. */
  readonly access: 'public' | 'private';
  /** How others subscribe to feeds of the hub. */
  readonly websubHub?: WebSubHubSettings;
  /** Absent: the defaults. */
  readonly webhooks?: WebhookSettings;
  /** What the hub publishes about its own endpoints, if anything. */
  readonly surface?: SurfaceSettings;
}

/** How the hub deals with WebSub hubs of others. */
export interface WebSubSubscriberSettings {
  /** Whether it subscribes when a feed names a hub. Absent: yes if its `baseUrl` is https. */
  readonly enabled?: boolean;
  /** The factor by which a feed is asked less often while its hub pushes news; 1: as often as otherwise. Absent: 6. */
  readonly restFactor?: number;
}

/** WebSub; missing settings have a default. */
export interface WebSubHubSettings {
  /** False: there is no `/hub`, and feeds name none. */
  readonly enabled?: boolean;
  /** Another hub that takes subscriptions in its place; existing ones continue until their leases end. */
  readonly successor?: string;
  readonly subscriptions?: number;
  readonly subscriptionsPerHost?: number;
  /** Per client, and per host of callbacks. */
  readonly requestsPerMinute?: number;
  /** Larger feeds are not delivered. */
  readonly documentBytes?: number;
}

/** What `tidings surface` uses: the hub serves what it has written there. */
export interface SurfaceSettings {
  /** The folder with the artifacts below `.well-known`. Absolute once decoded. */
  readonly dir: string;
  /** The origin that they describe, with a final slash. */
  readonly site?: string;
  /** The file with the signing key. The hub itself does not read it. */
  readonly key?: string;
}

/** How people get a key without the admin. The secrets of a provider are not settings. */
export type ApiKeySettings =
  | { readonly provider: 'none' }
  | { readonly provider: 'builtin'; readonly tier: SoldTier }
  | {
      readonly provider: 'stripe';
      readonly tier: SoldTier;
      /** The id of the price of a subscription at Stripe: `price_…`. */
      readonly price: string;
      /** Where Stripe's API answers, with a final slash. */
      readonly apiUrl: string;
    };

export interface RiskSettings {
  /** Weights in place of the usual ones, by the name of the rule; 0 switches a rule off. */
  readonly rules: RiskWeights;
}
