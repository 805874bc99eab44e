import { CodedError } from '../errors/coded-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { Sink } from './sink.ts';

/** A sink that gets one call at a time, and whose errors are ours: an exception of a foreign sink becomes a `SinkFailedError`. */
export function guardedSink(sink: Sink): Sink {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work).catch((error: unknown) => {
      throw sinkError(error);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  const prepare = sink.prepare?.bind(sink);
  return {
    async *pages() {
      try {
        yield* sink.pages();
      } catch (error) {
        throw sinkError(error);
      }
    },
    held: (url) => inTurn(() => sink.held(url)),
    put: (page) => inTurn(() => sink.put(page)),
    remove: (url) => inTurn(() => sink.remove(url)),
    ...(prepare !== undefined && { prepare: (pipeline) => inTurn(() => prepare(pipeline)) }),
  };
}

function sinkError(error: unknown): TidingsError {
  if (error instanceof TidingsError) return error;
  const said = error instanceof Error ? error.message : String(error);
  const message = `The sink failed: ${said.replace(/\.$/, '')}. What it did not take is tried again at the next run.`;
  return new CodedError('SinkFailedError', 'retry-later', message, { cause: error });
}
