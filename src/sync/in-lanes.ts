/**
 * Processes items: those of one lane one after the other, and a limited number of lanes in parallel. Ends with the first error, after everything that
 * runs has ended.
 */
export async function inLanes<T>(
  items: readonly T[],
  laneOf: (item: T) => string,
  { most, work }: { readonly most: number; readonly work: (item: T) => Promise<void> },
): Promise<void> {
  const lanes = new Map<string, T[]>();
  for (const item of items) {
    const lane = lanes.get(laneOf(item));
    if (lane === undefined) lanes.set(laneOf(item), [item]);
    else lane.push(item);
  }
  const waiting = [...lanes.values()];
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (let lane = waiting.shift(); lane !== undefined && failure === undefined; lane = waiting.shift()) {
      for (const item of lane) {
        if (failure !== undefined) return;
        await work(item).catch((error: unknown) => {
          failure ??= { error };
        });
      }
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  if (failure !== undefined) throw failure.error;
}
