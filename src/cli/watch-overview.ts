import type { OverviewSnapshot } from '../doors/hub-overview.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { wait } from '../io/node/timer-wait.ts';
import { overviewLines } from './overview-text.ts';
import { screenText, withoutLooks } from './screen-text.ts';
import type { Screen, World } from './world.ts';

export interface OverviewWatch {
  read(): Promise<OverviewSnapshot>;
  /** Calls when there is news, until the signal ends it. Absent: it is looked at by the clock alone. */
  readonly listen?: (onNews: () => void, signal: AbortSignal) => Promise<void>;
  readonly json: boolean;
}

const EVERY_MS = 2000;
/** The minimum time between two reads and drawings, whatever happens. */
const LEAST_MS = 250;
/** For a printed snapshot. */
const MOST_LINES = 40;

/**
 * Shows the state of a hub until it is ended: as a screen that is redrawn, else as one text, or one line of JSON, per change.
 *
 * What cannot be read at first is thrown; later it is said, and tried again.
 */
export async function watchOverview(options: OverviewWatch, world: World): Promise<void> {
  const first = await options.read();
  const stop = new AbortController();
  const end = () => stop.abort();
  world.signal.addEventListener('abort', end, { once: true });
  if (world.signal.aborted) end();
  using screen = options.json ? undefined : world.openScreen?.();
  screen?.onEnd(end);
  const show = screen === undefined ? printer(options, world) : drawer(screen, world);
  const turns = createTurns(stop.signal);
  const listening = options.listen?.(turns.wake, stop.signal);
  screen?.onResize(() => show.again());
  await show.snapshot(first);
  while (!stop.signal.aborted) {
    await turns.next();
    if (stop.signal.aborted) break;
    try {
      await show.snapshot(await options.read());
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      if (!stop.signal.aborted) await show.trouble(error.message);
    }
  }
  world.signal.removeEventListener('abort', end);
  await listening;
}

interface Shown {
  snapshot(snapshot: OverviewSnapshot): Promise<void>;
  trouble(message: string): Promise<void>;
  /** Draws the last one again. */
  again(): void;
}

function drawer(screen: Screen, { env }: World): Shown {
  const hasColour = (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  let last: OverviewSnapshot | undefined;
  let said: string | undefined;
  const draw = () => {
    if (last === undefined) return;
    const { columns, rows } = screen.size();
    const foot = said ?? 'q ends it';
    const lines = overviewLines(last, Math.max(1, rows - 2));
    const shape = { columns, hasColour };
    screen.draw([
      ...lines.map((line) => screenText(line, shape)),
      ...(rows > 3 ? ['', screenText([{ text: foot, look: said === undefined ? 'faint' : 'bad' }], shape)] : []),
    ]);
  };
  return {
    async snapshot(snapshot) {
      last = snapshot;
      said = undefined;
      draw();
    },
    async trouble(message) {
      said = message;
      draw();
    },
    again: draw,
  };
}

/** One per change of state; progress of a job counts only for JSON. */
function printer({ json }: OverviewWatch, world: World): Shown {
  let before = '';
  const once = async (key: string, print: () => Promise<void>) => {
    if (key === before) return;
    before = key;
    await print();
  };
  return {
    snapshot: (snapshot) =>
      once(stateOf(snapshot, json), async () => {
        const { atMs, ...facts } = snapshot;
        const at = new Date(atMs).toISOString();
        if (json) return await world.print(JSON.stringify({ at, ...facts }));
        for (const line of overviewLines(snapshot, MOST_LINES)) await world.print(withoutLooks(line));
        await world.print('');
      }),
    trouble: (message) => once(message, async () => world.complain(`tidings: ${message}`)),
    again() {},
  };
}

function stateOf({ atMs: _, jobs = [], ...facts }: OverviewSnapshot, isExact: boolean): string {
  return JSON.stringify([facts, isExact ? jobs : jobs.map(({ id }) => id)]);
}

/** When to look again: periodically, or soon after news. */
function createTurns(signal: AbortSignal) {
  let wake = () => {};
  let isNews = false;
  return {
    wake() {
      isNews = true;
      wake();
    },
    async next(): Promise<void> {
      await wait(LEAST_MS, signal);
      if (!isNews) {
        const woken = new AbortController();
        wake = () => woken.abort();
        await wait(EVERY_MS - LEAST_MS, AbortSignal.any([signal, woken.signal]));
      }
      isNews = false;
    },
  };
}
