import { type AnswerRules, conditionalAnswer, type ReadyDocument, readyDocument } from './ready-document.ts';
import type { HubRequest, HubResponse } from './route.ts';

/** A small document that is in memory. */
export interface ServedArtifact extends AnswerRules {
  /** Strong, quoted; other bytes have another one. */
  readonly etag: string;
  readonly bytes: Uint8Array;
}

const readied = new WeakMap<ServedArtifact, ReadyDocument>();

/** The artifact, or 304 or 412 as the conditions of the request say. HEAD gets all but the body. */
export function answerArtifact(request: HubRequest, artifact: ServedArtifact): HubResponse {
  const ready = readied.get(artifact) ?? readyDocument({ etag: artifact.etag }, artifact);
  readied.set(artifact, ready);
  const settled = conditionalAnswer(request, ready, ready.all, 'identity');
  if (settled !== undefined) return settled;
  const { bytes } = artifact;
  return {
    status: 200,
    headers: ready.forms.identity.headers,
    also: { 'content-length': String(bytes.length) },
    ...(request.method !== 'HEAD' && { body: bytes }),
  };
}
