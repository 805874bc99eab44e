/**
 * The maximum amount of work between two turns of the event loop, while `run` runs. It is counted, not timed, so a busy machine does not change it.
 *
 * @example
 * const most = await workBetweenTurns(async (count) => { for (const page of pages) { count(); await store(page); } });
 */
export async function workBetweenTurns(run: (count: (amount?: number) => void) => Promise<unknown>): Promise<number> {
  let [sinceTurn, most, isDone] = [0, 0, false];
  const turn = () => {
    sinceTurn = 0;
    if (!isDone) setImmediate(turn);
  };
  turn();
  try {
    await run((amount = 1) => {
      sinceTurn += amount;
      most = Math.max(most, sinceTurn);
    });
  } finally {
    isDone = true;
  }
  return most;
}
