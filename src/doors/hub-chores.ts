import type { LogCatalogue } from '../hub/catalogue/log-catalogue.ts';
import type { Retention } from '../hub/config/retention.ts';
import { settleOwnedSources } from '../hub/keys/settle-sources.ts';
import type { Sweeper } from '../hub/retention/sweep.ts';
import { startSweeping } from '../hub/retention/sweep-rhythm.ts';
import type { HubShelves } from '../hub/shelves/hub-shelves.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import type { RunningWatch } from '../hub/watch/watch.ts';
import { randomFraction } from '../io/node/random-fraction.ts';
import { alarm, repeat } from '../io/node/timer-alarm.ts';
import type { Endings } from './endings.ts';
import type { HubProjector } from './hub-projector.ts';
import { doubtReporter, lossReporter } from './hub-reporters.ts';
import { recordSize } from './hub-storage.ts';
import type { HubParts } from './open-hub-parts.ts';
import { tolerating } from './tolerating.ts';

const MEND_EVERY_MS = 10_000;
/** A deleted or replaced data folder is reported within 10 s. */
const GUARD_EVERY_MS = 5000;

interface ChoreParts {
  /** As configured. If absent, the address is known only once the hub listens. */
  readonly baseUrl?: string | undefined;
  readonly data: string;
  readonly retention: Retention;
  readonly sweeper: Sweeper;
  readonly store: HubParts['store'];
  readonly catalogue: LogCatalogue;
  readonly jobs: HubParts['jobs'];
  readonly clock: HubParts['clock'];
  readonly shelves: HubShelves;
  readonly logger: HubLogger;
  readonly endings: Endings;
  /** For a hub that runs in several processes: only one of them drops shared data. */
  readonly projector?: Pick<HubProjector, 'isHeld'> | undefined;
  readonly onBug: (error: unknown) => void;
}

/** The periodic work of a hub: checks that its folder is there, repairs what lags behind the log, and drops what need not be kept. */
export function repeatChores(parts: ChoreParts): void {
  const { data, retention, sweeper, store, catalogue, clock, shelves, projector, logger, endings, onBug } = parts;
  store.onChanges((changes) => void catalogue.add(changes).catch(onBug));
  store.onRedactions(() => void catalogue.rebegin().catch(onBug));
  const catchUp = () => indexLog(parts).catch(onBug);
  void catchUp();
  endings.add(repeat(MEND_EVERY_MS, catchUp));
  const mend = async () => {
    // Another process may have cut the log.
    if (projector !== undefined) await shelves.rebegin();
    for (const lag of await shelves.mend(onBug)) logger.error({ ...lag }, 'Documents lag behind the log');
  };
  const sweep = async () => {
    await recordSize(data, store);
    const archive = await sweeper.sweep(projector?.isHeld === false ? { archives: retention.archives } : retention);
    if (archive !== undefined)
      logger.info({ ...archive }, 'The oldest changes were moved from the log into an archive');
  };
  endings.add(repeat(MEND_EVERY_MS, mend));
  // Documents with the address of the hub could not be written before it was known.
  if (parts.baseUrl === undefined) void mend().catch(onBug);
  const reportDoubt = doubtReporter(() => clock.doubt, logger);
  reportDoubt();
  endings.add(repeat(GUARD_EVERY_MS, async () => reportDoubt()));
  const reportLoss = lossReporter(() => store.lost, logger);
  endings.add(repeat(GUARD_EVERY_MS, async () => reportLoss()));
  const sweepTolerantly = () => tolerating('What is old could not be dropped', logger, sweep).catch(onBug);
  endings.add(startSweeping(sweepTolerantly, { alarm, random: randomFraction }));
}

/** After an upgrade, the whole log is new to the catalogue. */
function indexLog({ catalogue, jobs }: Pick<ChoreParts, 'catalogue' | 'jobs'>): Promise<void> {
  const total = catalogue.standing.behind;
  const doneNow = () => Math.max(0, total - catalogue.standing.behind);
  return jobs.run({ what: 'Indexing the log', unit: 'changes', total, doneNow }, () => catalogue.mend());
}

/** From now on, pauses and resumes the sources of API keys when the state of their key changes. */
export function settleOwned({ logger, onBug, ...owned }: Pick<ChoreParts, 'logger' | 'onBug'> & OwnedParts): void {
  const trouble = 'Sources of API keys or of visitors could not be paused or resumed; it is tried again';
  const settle = () => {
    void tolerating(trouble, logger, () => settleOwnedSources(owned)).catch(onBug);
  };
  owned.keys.onChange(settle);
  settle();
}

interface OwnedParts {
  readonly watch: RunningWatch;
  readonly keys: HubParts['keys'];
  readonly isSelfServiceOn: boolean;
}
