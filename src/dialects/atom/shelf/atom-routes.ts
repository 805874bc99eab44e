import { createDocumentAnswers } from '../../../hub/http/answer-document.ts';
import { goneDocument } from '../../../hub/http/gone-document.ts';
import { problem } from '../../../hub/http/problem.ts';
import type { HubRequest, HubResponse, Route, RouteParameter } from '../../../hub/http/route.ts';
import { topicLinks } from '../../topic-links.ts';
import { type AtomDocuments, atomPath } from './atom-documents.ts';
import type { AtomShelf } from './atom-shelf.ts';
import { ALL_ATOM } from './atom-store.ts';

export interface AtomRouteParts {
  readonly documents: Pick<AtomDocuments, 'current' | 'archive'>;
  readonly shelf: Pick<AtomShelf, 'find' | 'trouble'>;
  /** How long readers need not ask again; absent if they must ask each time. */
  readonly ttlSeconds?: number | undefined;
  /** With a final slash. */
  readonly baseUrl: () => string;
  /** Where people subscribe to feeds; undefined if they cannot. */
  readonly hubUrl?: (() => string) | undefined;
  readonly now: () => number;
}

export const ATOM_MEDIA_TYPE = 'application/atom+xml; charset=utf-8';
/** Links in an archive contain the address of the hub, which may change. */
export const ARCHIVE_CACHE = 'public, max-age=86400';
const SOURCE_ID = /^[a-z0-9][a-z0-9_]*$/;
const SOURCE_FILE = /^([a-z0-9][a-z0-9_]*)\.atom$/;
const COLLECTION = /^[a-z0-9][a-z0-9-]*$/;
const COLLECTION_FILE = /^([a-z0-9][a-z0-9-]*)\.atom$/;
const ARCHIVE_FILE = /^([1-9]\d{0,8})(?:-([0-9a-f]{8}))?\.atom$/;
const ANSWERS = {
  200: 'The feed: one entry for each check that found changes, newest first.',
  304: 'Not modified.',
  412: 'A precondition of the request failed.',
};
const ARCHIVE_ANSWERS = {
  ...ANSWERS,
  200: 'Earlier entries, which never change (RFC 5005).',
  404: 'There is none.',
  410: 'The archive is no longer kept; archives and changes name where its changes are.',
};
const GONE =
  'This archive is older than those that this hub keeps, or was published from a log that was lost and brought back from a backup.';

/** Atom for feed readers: all changes, those of a source, those of a collection, and the archives of each. */
export function atomRoutes(parts: AtomRouteParts): Route[] {
  return [...atomFeedRoutes(parts), ...atomArchiveRoutes(parts)];
}

const COMMON = { method: 'GET', access: 'open', cors: true, answer: { mediaType: ATOM_MEDIA_TYPE } } as const;
const RULES = { mediaType: ATOM_MEDIA_TYPE, name: 'The feed' };

function atomFeedRoutes(parts: AtomRouteParts): Route[] {
  const { documents, shelf, ttlSeconds, now } = parts;
  const answerFeed = createDocumentAnswers({ ...RULES, cacheControl: atomCacheControl(ttlSeconds), now });
  const feed = (request: HubRequest, name: string, none: () => HubResponse) => {
    // A feed that could not be written may have had entries, so it must not look empty.
    if (shelf.find(name) === undefined && shelf.trouble !== undefined) return unavailable();
    const document = documents.current(name);
    if (document === undefined) return none();
    return answerFeed(request, document, () => topicLinks(parts, atomPath(name)));
  };
  return [
    {
      ...COMMON,
      path: '/changes.atom',
      summary: 'The changes of all sources, for feed readers (Atom).',
      responses: ANSWERS,
      handle: (request) => feed(request, ALL_ATOM, unknownFile),
    },
    {
      ...COMMON,
      path: '/atom/:file',
      summary: 'The changes of one source, for feed readers (Atom).',
      parameters: [pathParameter('file', 'The id of the source and `.atom`.', SOURCE_FILE)],
      responses: { ...ANSWERS, 404: 'There is no such source.' },
      handle: (request) => {
        const [, id] = SOURCE_FILE.exec(request.params.file ?? '') ?? [];
        return id === undefined ? unknownFile() : feed(request, id, () => unknownSource(id));
      },
    },
    {
      ...COMMON,
      path: '/atom/:source/:file',
      summary: 'The changes of one collection of a source, for feed readers (Atom).',
      parameters: [SOURCE_PARAMETER, pathParameter('file', 'The name of the collection and `.atom`.', COLLECTION_FILE)],
      responses: { ...ANSWERS, 404: 'There is no such collection, or it has no changes yet.' },
      handle: (request) => {
        const { source = '', file = '' } = request.params;
        const [, collection] = COLLECTION_FILE.exec(file) ?? [];
        if (!SOURCE_ID.test(source)) return unknownSource(source);
        return collection === undefined ? unknownFile() : feed(request, `${source}/${collection}`, unknownCollection);
      },
    },
  ];
}

/** How long readers may keep a feed. */
export function atomCacheControl(ttlSeconds: number | undefined): string {
  return ttlSeconds === undefined ? 'no-cache' : `public, max-age=${ttlSeconds}`;
}

function atomArchiveRoutes({ documents, baseUrl, now }: AtomRouteParts): Route[] {
  const answerArchive = createDocumentAnswers({ ...RULES, cacheControl: ARCHIVE_CACHE, now });
  const archive = (request: HubRequest, name: string) => {
    const [, number, epoch] = ARCHIVE_FILE.exec(request.params.file ?? '') ?? [];
    const document = number === undefined ? undefined : documents.archive(name, { number: Number(number), epoch });
    if (document === 'gone') return goneDocument(GONE, baseUrl());
    return document === undefined ? noArchive() : answerArchive(request, document);
  };
  return [
    {
      ...COMMON,
      path: '/changes/_archive/:file',
      summary: 'Earlier changes of all sources (Atom).',
      parameters: [ARCHIVE_PARAMETER],
      responses: ARCHIVE_ANSWERS,
      handle: (request) => archive(request, ALL_ATOM),
    },
    {
      ...COMMON,
      path: '/atom/:source/_archive/:file',
      summary: 'Earlier changes of one source (Atom).',
      parameters: [SOURCE_PARAMETER, ARCHIVE_PARAMETER],
      responses: ARCHIVE_ANSWERS,
      handle: (request) => {
        const { source = '' } = request.params;
        return SOURCE_ID.test(source) ? archive(request, source) : unknownSource(source);
      },
    },
    {
      ...COMMON,
      path: '/atom/:source/:collection/_archive/:file',
      summary: 'Earlier changes of one collection of a source (Atom).',
      parameters: [
        SOURCE_PARAMETER,
        pathParameter('collection', 'The name of the collection.', COLLECTION),
        ARCHIVE_PARAMETER,
      ],
      responses: ARCHIVE_ANSWERS,
      handle: (request) => {
        const { source = '', collection = '' } = request.params;
        const isName = SOURCE_ID.test(source) && COLLECTION.test(collection);
        return isName ? archive(request, `${source}/${collection}`) : unknownCollection();
      },
    },
  ];
}

function pathParameter(name: string, description: string, pattern: RegExp): RouteParameter {
  return { name, in: 'path', required: true, description, schema: { type: 'string', pattern: pattern.source } };
}

const SOURCE_PARAMETER = pathParameter('source', 'The id of the source.', SOURCE_ID);
const ARCHIVE_PARAMETER = pathParameter('file', 'The name of the archive, as in the links of the feed.', ARCHIVE_FILE);

function unknownSource(id: string): HubResponse {
  return problem({ status: 404, detail: `No source is named ${JSON.stringify(id.slice(0, 80))}.` });
}

function unknownCollection(): HubResponse {
  return problem({ status: 404, detail: 'There is no such collection, or nothing of it has changed yet.' });
}

function unknownFile(): HubResponse {
  return problem({ status: 404, detail: 'Atom feeds are named after their source: /atom/<id>.atom' });
}

function noArchive(): HubResponse {
  return problem({ status: 404, detail: 'There is no such archive. An archive is there once it is full.' });
}

function unavailable(): HubResponse {
  return problem(
    { status: 503, detail: 'The feed cannot be written now. Its disk may be full.' },
    { 'retry-after': '10' },
  );
}
