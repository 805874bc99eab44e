import { checkDocuments } from '../../../codecs/aidocument/check-documents.ts';
import { isJsonObject, parseJson } from '../../../codecs/aidocument/parse-json.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import type { CheckedFile, Checker, CheckParts } from '../../checker.ts';
import { answerOf, type DocumentSource } from '../../document-source.ts';
import { AIDOCUMENT_HINTS } from './aidocument-hints.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const LIMITS = { maxLength: MAX_BYTES, maxDepth: 200 };

export const AIDOCUMENT_CHECKER: Checker = {
  hints: AIDOCUMENT_HINTS,

  async check(source, parts) {
    const files = source.live ? [await fetchDocument(source)] : await readFolder(source, parts);
    return checkDocuments(files.map(seenOf));
  },

  file: {
    holds: ({ bytes }) => bytes.length <= MAX_BYTES && isMeantAsDocument(parsed(bytes)),

    async check(file) {
      if (file.bytes.length > MAX_BYTES) {
        throw new UnreadableTargetError(file.name, `it is larger than ${MAX_BYTES} bytes`, 'fix-input');
      }
      return checkDocuments([seenOf(file)]);
    },
  },
};

/** The document at a URL. Throws if the server does not answer with one. */
async function fetchDocument(source: DocumentSource): Promise<CheckedFile> {
  const { name } = source;
  const document = await source.read(name, { maxBodyBytes: MAX_BYTES });
  if (document.kind === 'answered' && document.status !== 200) {
    const recovery = document.status >= 500 || document.status === 429 ? 'retry-later' : 'fix-input';
    throw new UnreadableTargetError(name, `it answers with status ${document.status}`, recovery);
  }
  return { name, bytes: answerOf(source, document).bytes };
}

/** The files of a folder that are AIDocuments or meant to be. Other JSON files are left out. */
async function readFolder({ name }: DocumentSource, { jsonFiles }: CheckParts): Promise<CheckedFile[]> {
  const documents: CheckedFile[] = [];
  for await (const file of jsonFiles?.() ?? []) {
    const value = parsed(file.bytes);
    // Broken JSON may have been one.
    if (value === undefined || isMeantAsDocument(value)) documents.push(file);
  }
  if (documents.length > 0) return documents;
  throw new UnreadableTargetError(name, 'it holds no AIDocument: no JSON file with its groups', 'fix-input');
}

function seenOf({ name, bytes }: CheckedFile) {
  return { where: name, text: decoded(bytes) };
}

function parsed(bytes: Uint8Array): unknown {
  return parseJson(decoded(bytes).replace(/^\uFEFF/, ''), LIMITS);
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

const GROUPS = ['schema', 'source', 'cache', 'identity', 'content', 'structure', 'signals'];
/** Having this many of the groups is no coincidence. */
const ENOUGH_GROUPS = 3;

function isMeantAsDocument(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const isNamed = isJsonObject(value.schema) && value.schema.name === 'AIDocument';
  const isFlat = typeof value.url === 'string' && typeof value.markdown === 'string';
  return isNamed || isFlat || GROUPS.filter((group) => isJsonObject(value[group])).length >= ENOUGH_GROUPS;
}
