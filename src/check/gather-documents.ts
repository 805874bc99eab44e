import type { SeenAIDocument } from '../codecs/aidocument/check-documents.ts';
import { isJsonObject, parseJson } from '../codecs/aidocument/parse-json.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { readBytes } from '../fetch/read-text.ts';
import { failureOf } from './read-document.ts';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const DEADLINE_MS = 60_000;
const LIMITS = { maxLength: MAX_BODY_BYTES, maxDepth: 200 };

/** Files that may be AIDocuments, by the name that messages use. */
export interface JsonFiles {
  /** Whether `files` are all of a folder, in which other things may lie too. */
  readonly isFolder: boolean;
  readonly files: AsyncIterable<{ readonly where: string; readonly bytes: Uint8Array }>;
}

/** The document that a URL serves. Throws where the server does not answer with one. */
export async function fetchDocument(http: HttpClient, url: URL): Promise<SeenAIDocument[]> {
  const where = url.href;
  try {
    const response = await http.get({ url, maxBodyBytes: MAX_BODY_BYTES, deadlineMs: DEADLINE_MS });
    if (response.status !== 200) {
      await response.discard();
      const recovery = response.status >= 500 || response.status === 429 ? 'retry-later' : 'fix-input';
      throw new UnreadableTargetError(where, `it answers with status ${response.status}`, recovery);
    }
    return [{ where, text: textOf(await readBytes(response, { maxBytes: MAX_BODY_BYTES })) }];
  } catch (error) {
    if (!(error instanceof TidingsError) || error instanceof UnreadableTargetError) throw error;
    throw new UnreadableTargetError(where, failureOf(error), error.recovery, error);
  }
}

/** A file as it is; of a folder those files that are AIDocuments or meant to be, which excludes JSON of other kinds. */
export async function readDocuments(target: string, { isFolder, files }: JsonFiles): Promise<SeenAIDocument[]> {
  const documents: SeenAIDocument[] = [];
  for await (const { where, bytes } of files) {
    const text = textOf(bytes);
    if (!isFolder || isMeantAsDocument(text)) documents.push({ where, text });
  }
  if (documents.length > 0) return documents;
  throw new UnreadableTargetError(target, 'it holds no AIDocument: no JSON file with its groups', 'fix-input');
}

const GROUPS = ['schema', 'source', 'cache', 'identity', 'content', 'structure', 'signals'];
/** So many of the groups are no coincidence. */
const ENOUGH_GROUPS = 3;

/** What is broken JSON may have been one. */
function isMeantAsDocument(text: string): boolean {
  const value = parseJson(text.replace(/^\uFEFF/, ''), LIMITS);
  if (value === undefined) return true;
  if (!isJsonObject(value)) return false;
  const isNamed = isJsonObject(value.schema) && value.schema.name === 'AIDocument';
  const isFlat = typeof value.url === 'string' && typeof value.markdown === 'string';
  return isNamed || isFlat || GROUPS.filter((group) => isJsonObject(value[group])).length >= ENOUGH_GROUPS;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
