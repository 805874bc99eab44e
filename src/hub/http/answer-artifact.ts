import {
  type AnswerRules,
  conditionalAnswer,
  type DocumentFacts,
  formsFor,
  type ReadyDocument,
  readyDocument,
} from './ready-document.ts';
import type { HubRequest, HubResponse } from './route.ts';

/** A small document in memory. */
export interface ServedArtifact extends AnswerRules {
  /** Strong, quoted; other bytes have another one. */
  readonly etag: string;
  readonly bytes: Uint8Array;
  /** The gzip form, made on the first request for it. */
  readonly gzip?: () => Uint8Array;
}

const readied = new WeakMap<ServedArtifact, ReadyDocument>();

/** The artifact, or 304 or 412 according to the conditions of the request. HEAD gets everything but the body. */
export function answerArtifact(request: HubRequest, artifact: ServedArtifact): HubResponse {
  const ready = readied.get(artifact) ?? readyDocument(factsOf(artifact), artifact);
  readied.set(artifact, ready);
  const forms = formsFor(request.headers['accept-encoding'], ready);
  const best = forms.find((form) => form !== 'br') ?? 'identity';
  const settled = conditionalAnswer(request, ready, forms, best);
  if (settled !== undefined) return settled;
  const bytes = best === 'gzip' ? (artifact.gzip?.() ?? artifact.bytes) : artifact.bytes;
  return {
    status: 200,
    headers: ready.forms[best].headers,
    also: { 'content-length': String(bytes.length) },
    ...(request.method !== 'HEAD' && { body: bytes }),
  };
}

function factsOf({ etag, gzip }: ServedArtifact): DocumentFacts {
  return gzip === undefined ? { etag } : { etag, encodings: ['gzip'] };
}
