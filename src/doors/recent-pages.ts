import { withoutFragment } from '../codecs/primitives/without-fragment.ts';
import type { LivePage } from '../crawl/live-page.ts';
import type { Asker } from '../fetch/asker.ts';
import type { AskerWays, PoliteWays } from './open-http.ts';

/** The maximum amount of page text that is held for readers of what a look has just read. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

interface Kept {
  readonly ways: PoliteWays;
  /** The page as the newest look found it, while it is held. It is returned once: a second call wants a newer one. */
  recent(url: URL): LivePage | undefined;
}

/** HTTP clients that hold the pages that sources read last, so that a site is not asked twice for one change. */
export function keepingPages(ways: PoliteWays, onProgress?: (source: string, pages: number) => void): Kept {
  const held = new Map<string, LivePage>();
  const counts = new Map<string, number>();
  let characters = 0;
  const drop = (name: string) => {
    characters -= held.get(name)?.text.length ?? 0;
    held.delete(name);
  };
  const keep = (asked: URL, page: LivePage) => {
    const name = withoutFragment(asked.href);
    drop(name);
    held.set(name, page);
    characters += page.text.length;
    for (const oldest of held.keys()) {
      if (characters <= MAX_CHARACTERS) return;
      drop(oldest);
    }
  };
  const of = (asker: Asker): AskerWays => {
    const its = ways.of(asker);
    return {
      ...its,
      pages: {
        async read(request) {
          const answer = await its.pages.read(request);
          if (answer.kind === 'page') keep(request.url, answer);
          const count = (counts.get(asker.name) ?? 0) + 1;
          counts.set(asker.name, count);
          onProgress?.(asker.name, count);
          return answer;
        },
      },
    };
  };
  return {
    ways: { ...ways, of },
    recent(url) {
      const name = withoutFragment(url.href);
      const page = held.get(name);
      drop(name);
      return page;
    },
  };
}
