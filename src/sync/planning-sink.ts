import type { Sink } from './sink.ts';

/** Shows what a sink holds, and writes nothing. */
export function planningSink(sink: Sink): Sink {
  return {
    pages: () => sink.pages(),
    held: (url) => sink.held(url),
    async put() {},
    async remove() {},
  };
}
