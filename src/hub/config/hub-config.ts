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

/** The settings of a hub, decoded: every path absolute, every default filled in but those that depend on the port. */
export interface HubConfig {
  /** Where readers find the hub, with a final slash. Absent: the address that it listens on. */
  readonly baseUrl?: string;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** The data folder. */
  readonly data: string;
  /** Of a hub that runs in several processes: the PostgreSQL database that they share. Absent: the data folder is all there is. */
  readonly database?: string;
  /** Of a hub that runs in several processes: for so long the others wait for one that says nothing any more. Absent: 5 s. */
  readonly leaseSeconds?: number;
  readonly allowPrivate: boolean;
  readonly sources: readonly SourceConfig[];
  /** Whom it tells by webhook, beside those that were added otherwise. */
  readonly subscriptions?: readonly SubscriptionEntry[];
  /** A page about who runs the crawler; it stands in the User-Agent. Absent: the hub's own, where its `baseUrl` is on the public web. */
  readonly botUrl?: string;
  /** How the crawler signs its requests. Absent: it does not. */
  readonly botAuth?: BotAuthSettings;
  /** Whom site owners may write to: a mail address or the URL of a page. */
  readonly contact?: string;
  readonly cooldownMs?: number;
  readonly ca?: string;
  /** Whom its checkpoints are sent to, to be cosigned: `<vkey>@<url>` each. */
  readonly witnesses?: readonly string[];
  /** So many sources are read side by side. */
  readonly concurrency: number;
  /** Addresses or networks (`10.0.0.0/8`) whose `X-Forwarded-For` is believed. */
  readonly trustProxies: readonly string[];
  /** Other names under which a hub on loopback answers, beside that of `baseUrl` and those of loopback. */
  readonly hosts?: readonly string[];
  /** So many connections of one client address; 0: no limit. Absent: 64. Those of `trustProxies` are not counted. */
  readonly connectionsPerClient?: number;
  /** Streams of events, which are counted apart from other connections. */
  readonly streams: StreamSettings;
  /** So many pages of each feed are looked at, once a day, to see whether it tells the truth; 0: none. Absent: 5. */
  readonly honestyPages?: number;
  readonly websubSubscriber?: WebSubSubscriberSettings;
  /** How long readers may take feeds as fresh (`ttl_seconds`, `max-age`). Absent: they ask each time. */
  readonly ttlSeconds?: number;
  readonly license?: string;
  readonly about?: string;
  /** What is kept of what only grows: everything, unless it says otherwise. */
  readonly retention: Retention;
  /** Whether the log keeps short texts of pages, before and after a change. True unless it is said otherwise. */
  readonly excerpts?: boolean;
  /** Whether feeds and documents name the digest of their bytes. True unless it is said otherwise. */
  readonly digests?: boolean;
  /** Those of AICF that are on. */
  readonly extensions: Extensions;
  /** So many requests a minute for DiffDelta's files, by tier. */
  readonly limits: TierLimits;
  readonly apiKeys: ApiKeySettings;
  /** When operators are told, and how. */
  readonly alerts: AlertSettings;
  /** What who has an enterprise key may watch. */
  readonly keySources: KeySourceRules;
  /** What strangers may ask to be followed. */
  readonly selfService: SelfServiceSettings;
  readonly risk: RiskSettings;
  readonly signIn: SignInSettings;
  /** Who may read: anyone, or who is signed in, has the token or an API key. */
  readonly access: 'public' | 'private';
  /** How others subscribe to feeds of the hub. */
  readonly websubHub?: WebSubHubSettings;
  /** Absent: as it is usual. */
  readonly webhooks?: WebhookSettings;
  /** What the hub says of its own endpoints, where it does. */
  readonly surface?: SurfaceSettings;
}

/** How the hub deals with WebSub hubs of others. */
export interface WebSubSubscriberSettings {
  /** Whether it subscribes where a feed names a hub. Absent: where its `baseUrl` is https. */
  readonly enabled?: boolean;
  /** So many times less often a feed is asked while its hub tells of its news; 1: as often as ever. Absent: 6. */
  readonly restFactor?: number;
}

/** WebSub: what is absent has a default. */
export interface WebSubHubSettings {
  /** False: there is no `/hub`, and feeds name none. */
  readonly enabled?: boolean;
  /** Another hub that takes subscriptions in its place; those that are there go on until their leases end. */
  readonly successor?: string;
  readonly subscriptions?: number;
  readonly subscriptionsPerHost?: number;
  /** Of one client, and for the callbacks of one host. */
  readonly requestsPerMinute?: number;
  /** Larger feeds are not delivered. */
  readonly documentBytes?: number;
}

/** What `tidings surface` works with: the hub serves what is written there. */
export interface SurfaceSettings {
  /** Has the artifacts below `.well-known`. Absolute once decoded. */
  readonly dir: string;
  /** The origin that they speak for, with a final slash. */
  readonly site?: string;
  /** The file with the signing key. The hub itself does not read it. */
  readonly key?: string;
}

/** How people come by a key without the admin. Secrets of a provider are no settings. */
export type ApiKeySettings =
  | { readonly provider: 'none' }
  | { readonly provider: 'builtin'; readonly tier: SoldTier }
  | {
      readonly provider: 'stripe';
      readonly tier: SoldTier;
      /** What Stripe calls the price of a subscription: `price_…`. */
      readonly price: string;
      /** Where Stripe's API answers, with a final slash. */
      readonly apiUrl: string;
    };

export interface RiskSettings {
  /** Other weights than the usual ones, by the name of the rule; 0 switches it off. */
  readonly rules: RiskWeights;
}
