import { encodeDiscovery } from '../../../codecs/aicf/encode.ts';
import { AICF_DISCOVERY_PATH, AICF_VERSION, DISCOVERY_MEDIA_TYPE, FEED_MEDIA_TYPE } from '../../../codecs/aicf/wire.ts';
import { answerArtifact, type ServedArtifact } from '../../../hub/http/answer-artifact.ts';
import { createDocumentAnswers } from '../../../hub/http/answer-document.ts';
import { problem } from '../../../hub/http/problem.ts';
import type { HubRequest, HubResponse, Route, RouteParameter } from '../../../hub/http/route.ts';
import { strongEtag } from '../../../hub/http/small-answer.ts';
import { topicLinks } from '../../topic-links.ts';
import { EMPTY_FEED } from './empty-feed.ts';
import type { FeedGenerations } from './feed-generations.ts';
import { ALL_FEED, type FeedVersion } from './feed-store.ts';
import { hubFeedPath } from './hub-feed-path.ts';

export interface FeedRouteParts {
  readonly shelf: Pick<FeedGenerations, 'find' | 'trouble' | 'generation'>;
  readonly hub: {
    /** With a final slash. */
    baseUrl(): string;
    /** Where readers subscribe to feeds; undefined if they cannot. */
    readonly hubUrl?: (() => string) | undefined;
    /** Whether it is watched. A former source with changes in the log keeps its feed. */
    isSource(id: string): boolean;
    readonly ttlSeconds?: number;
    readonly license?: string;
    readonly about?: string;
    readonly capabilities?: readonly string[];
  };
  readonly now: () => number;
}

/** What discovery says in addition to the place of a feed. */
export type DiscoveryFacts = Pick<
  FeedRouteParts['hub'],
  'baseUrl' | 'ttlSeconds' | 'license' | 'about' | 'capabilities'
>;

/** `docs.ndjson`; after a truncation of the log `docs-2.ndjson`, and `_all-2.ndjson` for all sources together. */
export const HUB_FEED_FILE = /^(?:([a-z0-9][a-z0-9_]*)(?:-([1-9]\d{0,5}))?|_all-([1-9]\d{0,5}))\.ndjson$/;
const SOURCE_ID = /^[a-z0-9][a-z0-9_]*$/;
const REVALIDATE = 'no-cache';
const FEED_ANSWERS = {
  200: 'The feed: one event per line, oldest first.',
  206: 'A part of the feed.',
  304: 'Not modified.',
  412: 'A precondition of the request failed.',
  416: 'The range is beyond the end of the feed.',
};
const ENDED = 'It holds nothing that the log still has; feed names where the changes are told now.';

/** AICF: the feed of all changes, that of each source, and where they are announced. */
export function feedRoutes(parts: FeedRouteParts): Route[] {
  return [...changeFeedRoutes(parts), ...discoveryRoutes(parts)];
}

const COMMON = { method: 'GET', access: 'open', cors: true } as const;

function changeFeedRoutes({ shelf, hub, now }: FeedRouteParts): Route[] {
  const answerFeed = createDocumentAnswers({
    mediaType: FEED_MEDIA_TYPE,
    cacheControl: feedCacheControl(hub),
    // Also for a feed without a line: it has other encodings from its first line on.
    headers: { vary: 'accept-encoding' },
    name: 'The feed',
    notAcceptable: 'The feed can be had as it is, in gzip, or, while it is small, in br.',
    now,
  });
  // Each names itself in its answers.
  const empties = new Map<string, FeedVersion>();
  const feed = (request: HubRequest, name: string, generation = 1): HubResponse | Promise<HubResponse> => {
    const version = shelf.find(name, generation);
    const links = () => (generation === shelf.generation ? topicLinks(hub, hubFeedPath(name, generation)) : undefined);
    if (version !== undefined) return answerFeed(request, version, links);
    if (name !== ALL_FEED && !hub.isSource(name)) return unknownSource(name);
    if (generation > shelf.generation) return unknownFile();
    if (generation < shelf.generation)
      return endedFeed(new URL(hubFeedPath(name, shelf.generation), hub.baseUrl()).href);
    // A feed that could not be written may have had lines: it must not look empty.
    if (shelf.trouble !== undefined) return unavailable();
    const empty = empties.get(name) ?? { ...EMPTY_FEED };
    empties.set(name, empty);
    return answerFeed(request, empty, links);
  };
  return [
    {
      ...COMMON,
      path: '/ai-changes.ndjson',
      summary: 'The changes of all sources, as an AICF feed.',
      responses: { ...FEED_ANSWERS, 410: ENDED },
      answer: { mediaType: FEED_MEDIA_TYPE },
      handle: (request) => feed(request, ALL_FEED),
    },
    {
      ...COMMON,
      path: '/aicf/:file',
      summary: 'The changes of one source, as an AICF feed.',
      parameters: [
        pathParameter('file', 'The id of the source and `.ndjson`, as named by its discovery document.', HUB_FEED_FILE),
      ],
      responses: { ...FEED_ANSWERS, 404: 'There is no such source.', 410: ENDED },
      answer: { mediaType: FEED_MEDIA_TYPE },
      handle: (request) => {
        const [file, id = ALL_FEED, ofSource, ofAll] = HUB_FEED_FILE.exec(request.params.file ?? '') ?? [];
        const generation = Number(ofSource ?? ofAll ?? 1);
        return file === undefined ? unknownFile() : feed(request, id, generation);
      },
    },
  ];
}

function discoveryRoutes({ shelf, hub }: FeedRouteParts): Route[] {
  const discovery = (request: HubRequest, hubFeedPath: string): HubResponse =>
    answerArtifact(request, feedDiscovery(hub, hubFeedPath));
  return [
    {
      ...COMMON,
      path: AICF_DISCOVERY_PATH,
      summary: 'AICF discovery: the feed of all changes.',
      responses: { 200: 'The AICF discovery document.', 304: 'Not modified.' },
      answer: { mediaType: DISCOVERY_MEDIA_TYPE },
      handle: (request) => discovery(request, hubFeedPath(ALL_FEED, shelf.generation)),
    },
    {
      ...COMMON,
      path: `/aicf/:source${AICF_DISCOVERY_PATH}`,
      summary: 'AICF discovery: the feed of one source.',
      parameters: [pathParameter('source', 'The id of the source.', SOURCE_ID)],
      responses: { 200: 'The AICF discovery document.', 304: 'Not modified.', 404: 'There is no such source.' },
      answer: { mediaType: DISCOVERY_MEDIA_TYPE },
      handle: (request) => {
        const id = request.params.source ?? '';
        const isKnown = SOURCE_ID.test(id) && (hub.isSource(id) || shelf.find(id) !== undefined);
        return isKnown ? discovery(request, hubFeedPath(id, shelf.generation)) : unknownSource(id);
      },
    },
  ];
}

/** How long readers may keep a feed. */
export function feedCacheControl({ ttlSeconds }: Pick<FeedRouteParts['hub'], 'ttlSeconds'>): string {
  return ttlSeconds === undefined ? REVALIDATE : `public, max-age=${ttlSeconds}`;
}

function endedFeed(feed: string): HubResponse {
  return problem({
    status: 410,
    detail: `Nothing of this feed is in the log any more. Changes are told in ${feed} now.`,
    feed,
  });
}

/** The discovery document of a feed. */
export function feedDiscovery(hub: DiscoveryFacts, hubFeedPath: string): ServedArtifact {
  const { ttlSeconds, license, about, capabilities = [] } = hub;
  const text = encodeDiscovery({
    aicf_version: AICF_VERSION,
    self: new URL(hubFeedPath, hub.baseUrl()).href,
    license,
    about,
    ttl_seconds: ttlSeconds,
    capabilities: capabilities.length === 0 ? undefined : capabilities,
  });
  return {
    etag: strongEtag(text),
    bytes: Buffer.from(text),
    mediaType: DISCOVERY_MEDIA_TYPE,
    cacheControl: REVALIDATE,
  };
}

function pathParameter(name: string, description: string, pattern: RegExp): RouteParameter {
  return { name, in: 'path', required: true, description, schema: { type: 'string', pattern: pattern.source } };
}

function unknownSource(id: string): HubResponse {
  return problem({ status: 404, detail: `No source is named ${JSON.stringify(id.slice(0, 80))}.` });
}

function unknownFile(): HubResponse {
  return problem({ status: 404, detail: 'Feeds are named after their source: /aicf/<id>.ndjson' });
}

function unavailable(): HubResponse {
  return problem(
    { status: 503, detail: 'The feed cannot be written now. Its disk may be full.' },
    { 'retry-after': '10' },
  );
}
