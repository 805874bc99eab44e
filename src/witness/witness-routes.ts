import { MAX_ADD_CHECKPOINT_BYTES, TREE_SIZE_TYPE } from '../codecs/tlog/add-checkpoint.ts';
import { encodeVerifierKey, type VerifierKey } from '../codecs/tlog/verifier-key.ts';
import { problem } from '../hub/http/problem.ts';
import type { HubResponse, Route } from '../hub/http/route.ts';
import type { Witness, WitnessReply } from './witness.ts';

/** Called with each reply, for operators. */
export type OnWitnessReply = (reply: WitnessReply) => void;

const TEXT = 'text/plain; charset=utf-8';

/** The two endpoints of a witness, and its key. Spec: https://c2sp.org/tlog-witness */
export function witnessRoutes(witness: Witness, key: VerifierKey, onReply: OnWitnessReply): Route[] {
  return [
    {
      method: 'POST',
      path: '/add-checkpoint',
      access: 'open',
      wantsBytes: true,
      bodyBytes: MAX_ADD_CHECKPOINT_BYTES,
      summary: 'Cosign a checkpoint that extends the last one.',
      responses: {
        200: 'The cosignature.',
        400: 'The request is malformed.',
        403: 'No known key of the log signed it.',
        404: 'The log is not witnessed here.',
        409: 'Another size was cosigned last; the answer says which.',
        422: 'The checkpoint does not extend the one that was cosigned.',
      },
      handle: async ({ body }) => {
        const reply = await witness.add(body instanceof Uint8Array ? body : new Uint8Array());
        onReply(reply);
        return respond(reply);
      },
    },
    {
      method: 'GET',
      path: '/:origin/checkpoint',
      access: 'open',
      cors: true,
      summary: 'The newest cosigned checkpoint of a log, by the SHA-256 of its origin in hex.',
      responses: { 200: 'The checkpoint.', 404: 'No checkpoint of this log was cosigned.' },
      handle: ({ params }) => {
        const note = witness.checkpointOf(params.origin ?? '');
        if (note !== undefined) return text(200, note);
        return problem({ status: 404, detail: 'Nothing was cosigned of a log whose origin has this SHA-256.' });
      },
    },
    {
      method: 'GET',
      path: '/vkey',
      access: 'open',
      cors: true,
      summary: 'The verifier key of this witness.',
      responses: { 200: 'One line.' },
      handle: () => text(200, `${encodeVerifierKey(key)}\n`),
    },
  ];
}

function respond(reply: WitnessReply): HubResponse {
  if (reply.status === 200) return text(200, reply.line);
  if (reply.status === 409) return text(409, `${reply.size}\n`, TREE_SIZE_TYPE);
  return text(reply.status, `${reply.reason}\n`);
}

function text(status: number, body: string, mediaType = TEXT): HubResponse {
  return { status, headers: { 'content-type': mediaType, 'cache-control': 'no-store' }, body };
}
