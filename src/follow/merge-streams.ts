type Step<T> =
  | { readonly stream: AsyncGenerator<T, void>; readonly result: IteratorResult<T, void> }
  | { readonly error: unknown };

/**
 * Merges several streams as they yield. A stream continues only when the consumer has asked for what comes after its last value. Nothing more is
 * yielded once `stopping` is aborted. At the end, also if the consumer breaks off or a stream fails, `stopping` is aborted for the others and all
 * streams are closed.
 */
export async function* mergeStreams<T>(
  streams: readonly AsyncGenerator<T, void>[],
  stopping: AbortController,
): AsyncGenerator<T, void> {
  const [only] = streams;
  if (only !== undefined && streams.length === 1) return yield* only;

  const ready: Step<T>[] = [];
  let wake = () => {};
  const advance = async (stream: AsyncGenerator<T, void>) => {
    try {
      ready.push({ stream, result: await stream.next() });
    } catch (error) {
      ready.push({ error });
    }
    wake();
  };

  let hasFailed = false;
  try {
    for (const stream of streams) void advance(stream);
    for (let running = streams.length; running > 0; ) {
      const step = ready.shift();
      if (step === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if ('error' in step) {
        hasFailed = true;
        throw step.error;
      } else if (step.result.done || stopping.signal.aborted) {
        running -= 1;
      } else {
        yield step.result.value;
        void advance(step.stream);
      }
    }
  } finally {
    stopping.abort();
    const broken = await endAll(streams);
    // A consumer that breaks off also learns if a stream could not end properly.
    if (!hasFailed) throwFirst([...ready, ...broken]);
  }
}

async function endAll(streams: readonly AsyncGenerator<unknown, void>[]): Promise<{ readonly error: unknown }[]> {
  const ends = await Promise.allSettled(streams.map((stream) => stream.return()));
  return ends.flatMap((end) => (end.status === 'rejected' ? [{ error: end.reason }] : []));
}

function throwFirst(steps: readonly object[]): void {
  for (const step of steps) if ('error' in step) throw step.error;
}
