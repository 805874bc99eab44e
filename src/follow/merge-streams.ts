type Step<T> =
  | { readonly stream: AsyncGenerator<T, void>; readonly result: IteratorResult<T, void> }
  | { readonly error: unknown };

/**
 * What several streams give, as they give it. A stream goes on only when the consumer has asked for what comes after
 * its last value; until then it is held where it is. Nothing more comes out once `stopping` is aborted. At the end, also
 * when the consumer breaks off or a stream fails, it is aborted for whatever the others wait for, and all are ended.
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
    // Whoever breaks off is told, too, when a stream could not end as it should.
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
