import type { Change } from '../../model/change.ts';
import { answerArtifact } from '../http/answer-artifact.ts';
import { holdForASecond } from '../http/held-artifact.ts';
import type { Route } from '../http/route.ts';
import { smallArtifact } from '../http/small-answer.ts';
import type { HubShelves } from '../shelves/hub-shelves.ts';
import { shelfSource } from '../shelves/shelf-source.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import type { Watch } from '../watch/watch-port.ts';
import { homeHtml } from './home-html.ts';
import { HOME_POLICY } from './home-style.ts';

export interface HomeParts {
  readonly watch: Pick<Watch, 'sources' | 'unwritable'>;
  /** The newest changes, newest first. From memory. */
  recentChanges(): readonly Change[];
  readonly shelves: Pick<HubShelves, 'links' | 'feedsOf'>;
  baseUrl(): string;
  now(): number;
}

const HTML_TYPE = 'text/html; charset=utf-8';
const HEADERS = {
  'content-security-policy': HOME_POLICY,
  'cross-origin-opener-policy': 'same-origin',
};

/** The page at `/`, for people. */
export function homeRoutes({ watch, shelves, recentChanges, baseUrl, now }: HomeParts): Route[] {
  const page = holdForASecond(() => {
    const recent = recentChanges();
    const isWritable = watch.unwritable === undefined;
    const changes = recent[0]?.seq ?? 0;
    const facts = { sources: watch.sources(), recent, changes, baseUrl: baseUrl(), isWritable, nowMs: now() };
    const feedsOf = (source: WatchedSource) => shelves.feedsOf(shelfSource(source));
    return smallArtifact(homeHtml({ ...facts, links: shelves.links(), feedsOf }), HTML_TYPE);
  }, now);
  return [
    {
      method: 'GET',
      path: '/',
      access: 'open',
      summary: 'The page for people: how the sources are, and what changed last.',
      responses: { 200: 'The page.', 304: 'It has not changed.' },
      answer: { mediaType: HTML_TYPE },
      handle: (request) => {
        const answer = answerArtifact(request, page());
        return { ...answer, headers: { ...answer.headers, ...HEADERS } };
      },
    },
  ];
}
