import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPushed } from '../../hub/http/pushed-body.ts';
import type { HubResponse } from '../../hub/http/route.ts';
import { withoutContentDigest } from '../../hub/http/with-digests.ts';
import type { AnswerHeads } from './answer-heads.ts';
import { PreparedResponse } from './prepared-response.ts';
import { pushAnswer } from './pushed-answer.ts';
import { FastifyStream } from './stream.ts';

export interface AnswerOptions {
  readonly heads: AnswerHeads;
  /** The connection ends with this answer. */
  readonly close: boolean;
}

/** Smaller bodies go to the kernel at once; of larger ones it is seen piece by piece how fast they are taken. */
const LARGE_BODY_BYTES = 64 * 1024;

/**
 * Writes an answer to its connection; if it has to wait, resolves when all of it is passed on.
 *
 * Throws, and has written nothing, when the answer is not one that HTTP can carry. A body that fails after its first bytes ends the
 * connection in the middle, so that nobody takes the part for the whole.
 */
export function writeAnswer(
  raw: ServerResponse,
  answer: HubResponse,
  { heads, close }: AnswerOptions,
): undefined | Promise<void> {
  const { status, body } = answer;
  const isHead = raw.req.method === 'HEAD';
  const brief = close ? undefined : briefBody(answer, isHead);
  if (brief !== undefined && raw instanceof PreparedResponse && raw.staysOpen) {
    writeBrief(raw, answer, { heads, ...brief });
    return undefined;
  }
  const head = heads.of(isHead ? withoutContentDigest(answer) : answer);
  if (close || isPushed(body)) head.push('connection', 'close');
  if (body === undefined || status === 304 || status === 204) {
    const length = isHead ? declaredLength(answer) : '0';
    if (status !== 304 && status !== 204 && length !== undefined) head.push('content-length', length);
    raw.writeHead(status, head);
    raw.end();
    return undefined;
  }
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const length = Buffer.byteLength(body);
    head.push('content-length', length);
    if (length > LARGE_BODY_BYTES && !isHead) return new FastifyStream(raw, piecesOf(body)).send(status, head, length);
    raw.writeHead(status, head);
    if (isHead) raw.end();
    else raw.end(body);
    return undefined;
  }
  if (isPushed(body)) {
    if (!isHead) {
      pushAnswer(raw, body, { status, head });
      return undefined;
    }
    raw.writeHead(status, head);
    raw.end();
    return undefined;
  }
  const length = declaredLength(answer);
  if (length !== undefined) head.push('content-length', length);
  const stream = new FastifyStream(raw, body);
  return stream.send(status, head, length === undefined ? undefined : Number(length));
}

interface BriefBody {
  readonly bytes?: Uint8Array;
}

/** For a small answer whose headers many others share: most are. */
function briefBody({ status, also, body }: HubResponse, isHead: boolean): BriefBody | undefined {
  if (status === 304) return NO_BODY;
  const isShared = (status === 200 || status === 206) && also !== undefined && !isHead;
  return isShared && body instanceof Uint8Array && body.length <= LARGE_BODY_BYTES ? { bytes: body } : undefined;
}

const NO_BODY: BriefBody = {};

function writeBrief(
  raw: PreparedResponse,
  answer: HubResponse,
  { heads, bytes }: BriefBody & Pick<AnswerOptions, 'heads'>,
): void {
  const { status } = answer;
  const length = bytes?.length;
  const known = heads.texts.find(status, answer, length);
  if (known !== undefined) {
    raw.endWith(status, known, bytes);
    return;
  }
  const head = heads.of(answer);
  if (length !== undefined) head.push('content-length', length);
  raw.writeHead(status, head);
  const text = raw.headText;
  if (text !== undefined) heads.texts.learn(status, answer, { length, text });
  raw.end(bytes);
}

function declaredLength({ headers, also }: HubResponse): string | undefined {
  return also?.['content-length'] ?? headers['content-length'];
}

async function* piecesOf(body: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  for (let at = 0; at < bytes.length; at += LARGE_BODY_BYTES) yield bytes.subarray(at, at + LARGE_BODY_BYTES);
}

/** For a request whose body is not read: the client shall see the answer although it may still be sending. */
export function leaveBody(raw: ServerResponse): boolean {
  const { req } = raw;
  if (req.complete || !hasBody(req)) return false;
  const length = Number(req.headers['content-length'] ?? Number.NaN);
  // Node reads a small rest and drops it, and the connection stays of use.
  if (length <= LARGE_BODY_BYTES) return false;
  lingerOn(raw);
  return true;
}

const LINGER_MS = 1000;

/** Closing a socket with unread bytes in it resets the connection, which can take the answer from the client. So it reads on, a little. */
function lingerOn(raw: ServerResponse): void {
  const { socket } = raw;
  if (socket === null) return;
  socket.destroySoon = () => {
    socket.end();
    raw.req.resume();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}
