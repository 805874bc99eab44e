import { LOG_PREFIX } from '../../../codecs/tlog/log-origin.ts';
import { type AnswerDocument, createDocumentAnswers, type ServedDocument } from '../../../hub/http/answer-document.ts';
import { problem } from '../../../hub/http/problem.ts';
import type { HubRequest, HubResponse, Route } from '../../../hub/http/route.ts';
import type { TlogDocuments } from './tlog-documents.ts';

export interface TlogRouteParts {
  readonly documents: Pick<TlogDocuments, 'checkpoint' | 'vkey' | 'tile' | 'checked'>;
  readonly now: () => number;
}

export const NOTE_MEDIA_TYPE = 'text/plain; charset=utf-8';
export const TILE_MEDIA_TYPE = 'application/octet-stream';
const LIST_MEDIA_TYPE = 'application/json';
/** A checkpoint is requested each time. */
export const NOTE_CACHE = 'no-cache';
/** The path of a tile always has the same bytes. */
export const TILE_CACHE = 'public, max-age=31536000, immutable';

const PATH = `/${LOG_PREFIX}`;
const COMMON = { method: 'GET', access: 'open', cors: true } as const;
const ANSWERS = { 304: 'Nothing is new.', 412: 'It is not as the conditions of the request want it to be.' };
const INDEX = /^(?:0|[1-9]\d{0,14})$/;

/**
 * The provable log as in C2SP tlog-tiles: a signed checkpoint, its key, tiles of hashes, bundles of entries. Also lists of checks
 * without news.
 */
export function tlogRoutes(parts: TlogRouteParts): Route[] {
  return [...noteRoutes(parts), ...tileRoutes(parts)];
}

function noteRoutes({ documents, now }: TlogRouteParts): Route[] {
  const answer = createDocumentAnswers({ mediaType: NOTE_MEDIA_TYPE, cacheControl: NOTE_CACHE, now });
  const common = { ...COMMON, answer: { mediaType: NOTE_MEDIA_TYPE } };
  return [
    {
      ...common,
      path: `${PATH}/checkpoint`,
      summary: 'The signed head of the provable log (C2SP tlog-checkpoint).',
      responses: { 200: 'The signed note.', ...ANSWERS, 404: 'The log is empty.' },
      handle: (request) => given(request, documents.checkpoint(), answer),
    },
    {
      ...common,
      path: `${PATH}/vkey`,
      summary: 'The verifier key for checkpoints of the provable log.',
      responses: { 200: 'The verifier key, on one line.', ...ANSWERS, 404: 'The log is empty.' },
      handle: (request) => given(request, documents.vkey(), answer),
    },
  ];
}

function tileRoutes({ documents, now }: TlogRouteParts): Route[] {
  const answerTile = createDocumentAnswers({ mediaType: TILE_MEDIA_TYPE, cacheControl: TILE_CACHE, now });
  const answerList = createDocumentAnswers({ mediaType: LIST_MEDIA_TYPE, cacheControl: TILE_CACHE, now });
  return [
    {
      ...COMMON,
      path: `${PATH}/tile/*`,
      summary: 'Hashes and entries of the provable log (C2SP tlog-tiles).',
      parameters: [
        {
          name: 'rest',
          in: 'path',
          description: 'The path of the tile, such as `0/000`, `0/001.p/44` or `entries/000`.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: 'The tile.',
        ...ANSWERS,
        404: 'The log is not that long yet, or the path is not that of a tile.',
      },
      answer: { mediaType: TILE_MEDIA_TYPE },
      handle: (request) => given(request, documents.tile(`tile/${request.params['*'] ?? ''}`), answerTile),
    },
    {
      ...COMMON,
      path: `${PATH}/checked/:entry`,
      summary: 'The sources that an entry of type "checked" covers: those checked without finding changes.',
      parameters: [
        {
          name: 'entry',
          in: 'path',
          description: 'The index of the entry.',
          schema: { type: 'string', pattern: INDEX.source },
        },
      ],
      responses: {
        200: 'Pairs of source and time, exactly the bytes whose hash is in the entry.',
        ...ANSWERS,
        404: 'There is no such list, or it is no longer kept.',
      },
      answer: { mediaType: LIST_MEDIA_TYPE },
      handle: (request) => {
        const { entry = '' } = request.params;
        return given(request, INDEX.test(entry) ? documents.checked(Number(entry)) : undefined, answerList);
      },
    },
  ];
}

/** A missing file may exist in a moment, so nobody may cache that it is missing. */
function given(
  request: HubRequest,
  document: ServedDocument | undefined,
  answer: AnswerDocument,
): HubResponse | Promise<HubResponse> {
  if (document !== undefined) return answer(request, document);
  const detail =
    'The provable log has no such file, or has not grown so far. /.well-known/tidings/checkpoint says how far it has.';
  return problem({ status: 404, detail }, { 'cache-control': 'no-store' });
}
