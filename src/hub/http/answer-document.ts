import type { ContentEncoding, Encoding } from './accept-encoding.ts';
import { byteRange } from './byte-range.ts';
import { dateOf } from './document-date.ts';
import { isRangeCurrent } from './preconditions.ts';
import { problem } from './problem.ts';
import {
  type AnswerRules,
  conditionalAnswer,
  type DocumentFacts,
  formsFor,
  type ReadyDocument,
  readyDocument,
} from './ready-document.ts';
import type { HubRequest, HubResponse } from './route.ts';

export type DocumentBody = Uint8Array | AsyncIterable<Uint8Array>;

/** A whole document in an encoding. */
export interface EncodedDocument {
  readonly bytes: number;
  readonly body: DocumentBody;
}

/** A document that is kept ready. It never changes: while there is nothing new, it is the same object. */
export interface ServedDocument extends DocumentFacts {
  /** When it got its present content; absent: unknown. */
  readonly lastModifiedMs?: number | undefined;
  /** Its plain form, from `start` up to, but not including, `end`; all of it without them. Synchronous if it is in memory. */
  read(start?: number, end?: number): DocumentBody | Promise<DocumentBody>;
  /** All of it in that encoding; undefined if it is not kept in it, or not yet. Synchronous if it is in memory. */
  encoded?(encoding: ContentEncoding): EncodedDocument | undefined | Promise<EncodedDocument | undefined>;
}

export interface DocumentAnswerOptions extends AnswerRules {
  readonly now: () => number;
}

/** `more`: headers only for this document; called once per document, or a few times. */
export type AnswerDocument = (
  request: HubRequest,
  document: ServedDocument,
  more?: () => Readonly<Record<string, string>> | undefined,
) => HubResponse | Promise<HubResponse>;

const PLAIN: readonly Encoding[] = ['identity'];

/**
 * Answers for documents: whole or a part, plain or compressed, or not modified.
 *
 * Everything that "not modified" needs is made once per document; it uses no disk and no promise. The returned objects are shared: senders must not change
 * them.
 */
export function createDocumentAnswers(options: DocumentAnswerOptions): AnswerDocument {
  const readied = new WeakMap<ServedDocument, ReadyDocument>();

  return (request, document, more) => {
    const known = readied.get(document);
    if (known?.date.isSettled) return answer(request, document, known);
    const date = dateOf(document.lastModifiedMs, options.now());
    const isAsKnown = known?.date.shownMs === date.shownMs && known?.date.isSettled === date.isSettled;
    const ready =
      known !== undefined && isAsKnown ? known : readyDocument(document, rulesWith(options, more?.()), date);
    readied.set(document, ready);
    return answer(request, document, ready);
  };
}

function rulesWith(rules: AnswerRules, more: AnswerRules['headers']): AnswerRules {
  return more === undefined ? rules : { ...rules, headers: { ...rules.headers, ...more } };
}

function answer(
  request: HubRequest,
  document: ServedDocument,
  ready: ReadyDocument,
): HubResponse | Promise<HubResponse> {
  const { headers, method } = request;
  const range = method === 'GET' && document.bytes !== undefined ? headers.range : undefined;
  const accepted = formsFor(headers['accept-encoding'], ready);
  // A client that asks for a part may have its beginning in any form: the remaining bytes are the same.
  const forms = range === undefined ? accepted : ready.all;
  const settled = conditionalAnswer(request, ready, forms, accepted[0] ?? 'identity');
  if (settled !== undefined) return settled;
  if (range === undefined) return whole(method, document, ready, accepted);
  return part(request, range, document, ready);
}

/** In the first of these forms in which the document is kept. */
function whole(
  method: string,
  document: ServedDocument,
  ready: ReadyDocument,
  [form, ...others]: readonly Encoding[],
): HubResponse | Promise<HubResponse> {
  if (form === undefined) return problem({ status: 406, detail: ready.rules.notAcceptable ?? '' });
  const { headers } = ready.forms[form];
  const send = (bytes: number, body: DocumentBody | undefined): HubResponse => {
    const also = { 'content-length': String(bytes) };
    return method === 'HEAD' || body === undefined
      ? { status: 200, headers, also }
      : { status: 200, headers, also, body };
  };
  if (form === 'identity') {
    if (method === 'HEAD' && document.bytes !== undefined) return send(document.bytes, undefined);
    const sendPlain = (body: DocumentBody) =>
      send(body instanceof Uint8Array ? body.length : (document.bytes ?? 0), body);
    const body = document.read();
    return body instanceof Promise ? body.then(sendPlain) : sendPlain(body);
  }
  const sendEncoded = (encoded: EncodedDocument | undefined) =>
    encoded === undefined ? whole(method, document, ready, others) : send(encoded.bytes, encoded.body);
  const encoded = document.encoded?.(form);
  return encoded instanceof Promise ? encoded.then(sendEncoded) : sendEncoded(encoded);
}

function part(
  { headers, method }: HubRequest,
  range: string,
  document: ServedDocument,
  ready: ReadyDocument,
): HubResponse | Promise<HubResponse> {
  const { date, rules } = ready;
  const { identity } = ready.forms;
  const { bytes = 0 } = document;
  const isCurrent = isRangeCurrent(headers['if-range'], identity.etag, date.isSettled ? date.ms : undefined);
  const wanted = isCurrent ? byteRange(range, bytes) : undefined;
  if (wanted === undefined) return whole(method, document, ready, PLAIN);
  if (wanted === 'unsatisfiable') {
    const detail = `${rules.name ?? 'It'} has ${bytes} bytes.`;
    return problem({ status: 416, detail }, { 'content-range': `bytes */${bytes}`, 'accept-ranges': 'bytes' });
  }
  const { start, end } = wanted;
  const also = { 'content-length': String(end - start), 'content-range': `bytes ${start}-${end - 1}/${bytes}` };
  const send = (body: DocumentBody): HubResponse => ({ status: 206, headers: identity.headers, also, body });
  const body = document.read(start, end);
  return body instanceof Promise ? body.then(send) : send(body);
}
