import type { StepRelays } from '../dialects/step-relay.ts';
import type { Fence } from '../hub/cluster/journal.ts';
import { Projector } from '../hub/cluster/projector.ts';
import type { Roles } from '../hub/cluster/roles.ts';
import { alarm } from '../io/node/timer-alarm.ts';
import type { LogDatabase } from '../io/sqlite/log.ts';
import { shelfRelay } from '../io/sqlite/shelf-steps.ts';

/** What the projector needs from a process of the hub. */
export interface ProjectorCluster {
  readonly store: {
    openTables<T>(open: (opened: LogDatabase) => T): T;
    under(fence: Fence): { writeStep(name: string, step: unknown): Promise<unknown> };
    readonly replica: { current(): Promise<void> };
  };
  readonly roles: Roles;
}

export interface HubProjectorOptions {
  readonly leaseMs: number;
  /** Other processes do the work of the projector. */
  readonly isLeft?: boolean | undefined;
  readonly onBug: (error: unknown) => void;
}

/** The work that one process of a hub does for all, as this process sees it. */
export interface HubProjector extends AsyncDisposable {
  readonly isHeld: boolean;
  /** Called each time this process gets or loses the role. */
  onTurn(listener: (isHeld: boolean) => void): void;
  /** From then on this process may take the role. */
  begin(): void;
  readonly steps: StepRelays;
}

/** The steps of documents, deliveries and mails of a hub that runs in several processes. */
export function openProjector(
  { store, roles }: ProjectorCluster,
  { leaseMs, isLeft = false, onBug }: HubProjectorOptions,
): HubProjector {
  const projector = new Projector({
    roles,
    catchUp: () => store.replica.current(),
    leaseMs,
    elapsed: () => performance.now(),
    alarm,
    onBug,
  });
  const sender = {
    isMaker: () => projector.isHeld,
    send: async (name: string, sent: unknown) => {
      const { fence } = projector;
      return fence && (await store.under(fence).writeStep(name, sent));
    },
  };
  return {
    get isHeld() {
      return projector.isHeld;
    },
    onTurn: (listener) => projector.onTurn(listener),
    begin: () => {
      if (!isLeft) projector.begin();
    },
    steps: (dialect) => store.openTables((opened) => shelfRelay(opened, dialect, sender)),
    [Symbol.asyncDispose]: () => projector[Symbol.asyncDispose](),
  };
}
