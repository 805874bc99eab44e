import { accept, type Issue, type Result, refuse } from '../primitives/result.ts';
import { isVersion1, migrateToVersion2 } from './migrate.ts';
import { isJsonObject, parseJson } from './parse-json.ts';
import { type FieldIssue, formIssues } from './validate.ts';
import type { AIDocument } from './wire.ts';

/** In characters of JSON; the document of a 10 MB page stays far below it. */
const MAX_LENGTH = 64 * 1024 * 1024;
const MAX_DEPTH = 200;

/**
 * Reads an AIDocument of any 2.x, keeping unknown groups and fields, or of 1.0, which is converted to 2.0.
 * Refuses other versions, null, and values of the wrong type.
 *
 * @example
 * const decoded = decodeAIDocument(await (await fetch('https://index.example/doc?url=https://docs.example/')).text());
 * if (decoded.ok) console.log(decoded.value.identity.title, decoded.value.content.markdown);
 * else for (const { clause, message } of decoded.issues) console.error(`${clause}: ${message}`);
 */
export function decodeAIDocument(json: string): Result<AIDocument> {
  if (typeof json !== 'string') return refuse('AWI-DOC1', 'The document is not JSON text.');
  const value = parseJson(json.startsWith('\uFEFF') ? json.slice(1) : json, {
    maxLength: MAX_LENGTH,
    maxDepth: MAX_DEPTH,
  });
  if (!isJsonObject(value)) return refuse('AWI-DOC1', 'The document is not one JSON object.');

  const document = isVersion1(value) ? migrateToVersion2(value) : value;
  const [first, ...others] = formIssues(document);
  if (first !== undefined) return { ok: false, issues: [issueOf(first), ...others.map(issueOf)] };
  return accept(document as unknown as AIDocument);
}

function issueOf({ clause, message }: FieldIssue): Issue {
  return { clause, message };
}
