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

/** What every push channel is built from. */
export interface HubPushParts extends Omit<HubParts, 'cache'> {
  readonly config: HubConfig;
  readonly watch: Watch;
  /** The routes of the stored documents. */
  readonly documents: readonly Route[];
  readonly shelves: Pick<HubShelves, 'topicAt' | 'lags' | 'receipts'>;
  /** The hash of the hub's token. */
  readonly adminHash: string;
  readonly hubId: string;
  readonly logger: HubLogger;
  /** Where readers find the hub, with a final slash. Known once it listens. */
  readonly baseUrl: () => string;
  /** All addresses at which the hub answers, each with a final slash. */
  readonly ownAddresses: () => readonly string[];
  /** For a hub that runs in several processes: only one of them pushes. */
  readonly projector?: Pick<HubProjector, 'isHeld' | 'onTurn'> | undefined;
  /** Called with an error that is a bug. */
  readonly onBug: (error: unknown) => void;
}

/** What pages show about the push channels. */
export interface PushSights {
  readonly alerts?: AlertSight;
  readonly webhooks?: WebhookSight;
  readonly webSub?: WebSubSight;
}

/** One push channel. */
export interface PushPart {
  readonly routes: readonly Route[];
  /** Called when the hub listens, and again after `rest`. */
  begin?(): void;
  /** Stops pushing until it begins again, because another process of the hub pushes. It still accepts requests. */
  rest?(): void | Promise<void>;
  /** Called with the events of the watch. */
  heard?(event: WatchEvent): void;
  /** Called with every finished check before it is reported. Returns by which factor the source may now be checked less often. */
  looked?(look: FinishedLook): number;
  /** Remarks for a person about a source, in addition to its checks. */
  notesOf?(source: string): readonly string[];
  webSubOf?(source: string): WebSubView | undefined;
  readonly sights?: PushSights;
  /** Called once. Ends running work within seconds. What nobody acknowledged is sent again after the next start. */
  close(): Promise<void>;
}
