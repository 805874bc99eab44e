import type { Sink } from './sink.ts';

/** Shows the content of a sink, and writes nothing. */
export function planningSink(sink: Sink): Sink {
  return {
    pages: () => sink.pages(),
    held: (url) => sink.held(url),
    async put() {},
    async remove() {},
  };
}
