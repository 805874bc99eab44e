import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findJsonFlaw } from '../../codecs/primitives/json-flaw.ts';

/** Nothing that we read is nested so deep. */
const MAX_DEPTH = 64;
const SHOWN = 100;

/** A body that is not read further, as Fastify's error handler sees it. */
class BodyRefusedError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** The routes of `scope` read only JSON in UTF-8, without duplicate keys or keys that reach for prototypes. An empty body counts as none. */
export function readJsonBodies(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const text = decodeBody(request, bytes);
    if (text instanceof BodyRefusedError) return done(text);
    if (text === '') return done(null);
    return parse(request, text, done);
  });
}

function decodeBody({ headers }: FastifyRequest, bytes: Buffer): string | BodyRefusedError {
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding !== 'identity') {
    return new BodyRefusedError(415, 'Send the body without a content-encoding.');
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new BodyRefusedError(400, 'The body is not UTF-8.');
  }
  const flaw = findJsonFlaw(text, MAX_DEPTH);
  if (flaw === undefined) return text;
  if (flaw.is === 'deep') return new BodyRefusedError(400, `The body is nested deeper than ${MAX_DEPTH} levels.`);
  return new BodyRefusedError(400, `The body has the key ${JSON.stringify(flaw.at.slice(0, SHOWN))} twice.`);
}
