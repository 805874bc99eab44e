import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Nothing that we read is nested so deep; what is could exhaust the stack of whoever walks it. */
const MAX_DEPTH = 64;

/** A body that is not read further, as Fastify's error handler sees it. */
class BodyRefusedError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** JSON in UTF-8, without keys that reach for prototypes, is the only body that the routes of `scope` read. An empty one is none. */
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
  if (isDeep(text)) return new BodyRefusedError(400, `The body is nested deeper than ${MAX_DEPTH} levels.`);
  return text;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** By its brackets alone, so that no parser meets what is too deep. */
function isDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) inString = !inString;
    else if (inString) index += character === BACKSLASH ? 1 : 0;
    // 0x5b and 0x7b open, 0x5d and 0x7d close; both pairs differ from each other in the same bit only.
    else if ((character | 0x20) === 0x7b) depth += 1;
    else if ((character | 0x20) === 0x7d) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
