import { type StepRelay, type StepTaker, stepOvertakenError } from '../../dialects/step-relay.ts';
import { stepFromWire, stepToWire } from '../../hub/cluster/step-wire.ts';
import type { LogDatabase, SqliteLog } from './log.ts';
import { openSteps } from './steps.ts';

/** How many steps of each dialect were stored: the next one has the next number. */
const TABLE = `CREATE TABLE IF NOT EXISTS hub_shelf_steps (
  dialect TEXT PRIMARY KEY, number INTEGER NOT NULL
) STRICT, WITHOUT ROWID`;

/** A step on its way. */
interface SentStep {
  readonly number: number;
  /** As JSON. */
  readonly step: unknown;
}

/** The open shelves of a process, by dialect. */
const TAKERS = new WeakMap<SqliteLog, Map<string, StepTaker<unknown>>>();

/** The steps of one dialect in the replica of a process: each is stored only if it follows the last one. `store` writes one if no shelf is open. */
export function openShelfSteps(opened: LogDatabase, dialect: string, store: (step: unknown) => void): void {
  const { log, database } = opened;
  log.appendWith([], () => database.exec(TABLE));
  const put = database.prepare('INSERT OR REPLACE INTO hub_shelf_steps (dialect, number) VALUES (?, ?)');
  let taken: { readonly sent: SentStep; readonly step: unknown } | undefined;
  const apply = (sent: SentStep): boolean => {
    taken = undefined;
    if (sent.number !== numberOf(opened, dialect) + 1) return false;
    const step = stepFromWire(sent.step);
    put.run(dialect, sent.number);
    (takersOf(log).get(dialect)?.store ?? store)(step);
    taken = { sent, step };
    return true;
  };
  openSteps(opened, shelfStore(dialect), apply).onWritten((sent) => {
    if (taken?.sent === sent) takersOf(log).get(dialect)?.show(taken.step);
  });
}

/** How steps are made and sent. */
export interface StepSender {
  isMaker(): boolean;
  /** To the store of that name, as the projector; resolves to what the write came to here. */
  send(name: string, sent: unknown): Promise<unknown>;
}

/** The relay of a dialect whose steps are {@link openShelfSteps | open}. */
export function shelfRelay<Step>(opened: LogDatabase, dialect: string, sender: StepSender): StepRelay<Step> {
  return {
    isMaker: () => sender.isMaker(),
    async send(step) {
      const sent: SentStep = { number: numberOf(opened, dialect) + 1, step: stepToWire(step) };
      if ((await sender.send(shelfStore(dialect), sent)) !== true) throw stepOvertakenError();
    },
    onStep: (taker) => {
      // Only for its own dialect, whose steps it has made.
      const own: StepTaker<unknown> = {
        store: (step) => taker.store(step as Step),
        show: (step) => taker.show(step as Step),
      };
      takersOf(opened.log).set(dialect, own);
    },
  };
}

function shelfStore(dialect: string): string {
  return `shelf:${dialect}`;
}

function takersOf(log: SqliteLog): Map<string, StepTaker<unknown>> {
  const takers = TAKERS.get(log) ?? new Map<string, StepTaker<unknown>>();
  TAKERS.set(log, takers);
  return takers;
}

function numberOf({ log, database }: LogDatabase, dialect: string): number {
  const row = log.ask(() => database.prepare('SELECT number FROM hub_shelf_steps WHERE dialect = ?').get(dialect));
  return (row as { readonly number: number } | undefined)?.number ?? 0;
}
