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
/** A checkpoint is asked for each time. */
export const NOTE_CACHE = 'no-cache';
/** A path of a tile stands for the same bytes for ever. */
export const TILE_CACHE = 'public, max-age=31536000, immutable';

const PATH = `/${LOG_PREFIX}`;
const COMMON = { method: 'GET', access: 'open', cors: true } as const;
const ANSWERS = { 304: 'Nothing is new.', 412: 'It is not as the conditions of the request want it to be.' };
const INDEX = /^(?:0|[1-9]\d{0,14})$/;

/** The provable log, as C2SP tlog-tiles has it: a signed checkpoint, its key, tiles of hashes, bundles of entries; and what was checked without news. */
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
      summary: 'The head of the provable log, signed (C2SP tlog-checkpoint).',
      responses: { 200: 'The signed note.', ...ANSWERS, 404: 'Nothing has happened yet.' },
      handle: (request) => given(request, documents.checkpoint(), answer),
    },
    {
      ...common,
      path: `${PATH}/vkey`,
      summary: 'The key that verifies checkpoints of the provable log.',
      responses: { 200: 'The verifier key, on one line.', ...ANSWERS, 404: 'Nothing has happened yet.' },
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
          description: 'Which: `0/000`, `0/001.p/44`, `entries/000`.',
          schema: { type: 'string' },
        },
      ],
      responses: { 200: 'The tile.', ...ANSWERS, 404: 'The log has not grown so far, or this is no path of a tile.' },
      answer: { mediaType: TILE_MEDIA_TYPE },
      handle: (request) => given(request, documents.tile(`tile/${request.params['*'] ?? ''}`), answerTile),
    },
    {
      ...COMMON,
      path: `${PATH}/checked/:entry`,
      summary: 'The sources that were checked without finding anything new, behind an entry of type "checked".',
      parameters: [
        {
          name: 'entry',
          in: 'path',
          description: 'The index of the entry.',
          schema: { type: 'string', pattern: INDEX.source },
        },
      ],
      responses: {
        200: 'Pairs of source and time, in the very bytes that the entry has the hash of.',
        ...ANSWERS,
        404: 'There is none, or it is kept no more.',
      },
      answer: { mediaType: LIST_MEDIA_TYPE },
      handle: (request) => {
        const { entry = '' } = request.params;
        return given(request, INDEX.test(entry) ? documents.checked(Number(entry)) : undefined, answerList);
      },
    },
  ];
}

/** What is not there now may be there in a moment: nobody is to remember that it was not. */
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
