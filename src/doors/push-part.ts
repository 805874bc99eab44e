import type { HubConfig } from '../hub/config/hub-config.ts';
import type { AlertSight } from '../hub/dashboard/alerts/alerts-page.ts';
import type { WebhookSight, WebSubSight } from '../hub/dashboard/subscriptions/subscription-facts.ts';
import type { Route } from '../hub/http/route.ts';
import type { WebSubView } from '../hub/push/subscriber/websub-view.ts';
import type { HubShelves } from '../hub/shelves/hub-shelves.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import type { WatchEvent } from '../hub/watch/watch-event.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import type { FinishedLook } from '../hub/watch/watch-visits.ts';
import type { HubProjector } from './hub-projector.ts';
import type { HubParts } from './open-hub-parts.ts';

/** What every way of telling others is built from. */
export interface HubPushParts extends Omit<HubParts, 'cache'> {
  readonly config: HubConfig;
  readonly watch: Watch;
  /** The routes of documents that the hub keeps ready. */
  readonly documents: readonly Route[];
  readonly shelves: Pick<HubShelves, 'topicAt' | 'lags' | 'receipts'>;
  /** The hash of the hub's token. */
  readonly adminHash: string;
  readonly hubId: string;
  readonly logger: HubLogger;
  /** Where readers find the hub, with a final slash. Known once it listens. */
  readonly baseUrl: () => string;
  /** Wherever it answers, each with a final slash. */
  readonly ownAddresses: () => readonly string[];
  /** Of a hub that runs in several processes: one of them tells others. */
  readonly projector?: Pick<HubProjector, 'isHeld' | 'onTurn'> | undefined;
  /** Called with a fault of ours. */
  readonly onBug: (error: unknown) => void;
}

/** What pages show of the ways of telling others. */
export interface PushSights {
  readonly alerts?: AlertSight;
  readonly webhooks?: WebhookSight;
  readonly webSub?: WebSubSight;
}

/** One way of telling others. */
export interface PushPart {
  readonly routes: readonly Route[];
  /** Called when the hub listens; again, behind `rest`. */
  begin?(): void;
  /** Tells nobody more until it begins again: another process of the hub does. What it is asked for it takes all the same. */
  rest?(): void | Promise<void>;
  /** Hears what happens while the hub watches. */
  heard?(event: WatchEvent): void;
  /** Hears of every finished check before it is told, and says how many times longer than its rhythm the source may rest now. */
  looked?(look: FinishedLook): number;
  /** What a person should know of a source beside its checks. */
  notesOf?(source: string): readonly string[];
  webSubOf?(source: string): WebSubView | undefined;
  readonly sights?: PushSights;
  /** Called once. Ends what is under way, within seconds; what nobody acknowledged is sent again after the next start. */
  close(): Promise<void>;
}
