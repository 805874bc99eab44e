import { decodeDidDocument } from '../../../codecs/agent-feed/did-document.ts';
import { didOf, isSameDid } from '../../../codecs/agent-feed/did-web.ts';
import { decodeJsonObject } from '../../../codecs/agent-feed/json-members.ts';
import { type DidDocument, METHOD_TYPE } from '../../../codecs/agent-feed/wire.ts';
import { isRecord, type JsonRecord } from '../../../codecs/primitives/json-record.ts';
import { decodeMultibase } from '../../../codecs/primitives/multibase.ts';
import { type AnsweredDocument, documentText, looksLikeHtml } from '../../../codecs/primitives/seen-document.ts';
import { publicKeyOf } from '../../../surface/ed25519.ts';
import { type SurfaceContext, shownValue } from './seen-surface.ts';

interface Method {
  readonly fields: JsonRecord;
  /** `did.json verificationMethod[0]` */
  readonly where: string;
}

const KEY_BYTES = 32;
const MAX_CHARACTERS = 1_048_576;
const UNKNOWN = new URL('https://origin.invalid');
const UNKNOWN_ORIGIN = 'Nothing says which origin the folder is served from.';

/** The JSON object in a did.json, or the reason why it cannot be read. */
export function readDid(document: AnsweredDocument): JsonRecord | string {
  const { text, isUtf8 } = documentText(document);
  if (!isUtf8) return 'It is not UTF-8.';
  if (text.length > MAX_CHARACTERS) return `It has more than ${MAX_CHARACTERS} characters.`;
  if (looksLikeHtml(text)) return 'It is HTML or XML, not JSON.';
  const decoded = decodeJsonObject(withoutMark(text));
  return decoded.ok ? decoded.value : decoded.issues[0].message.slice(0, 200);
}

/**
 * Checks the keys of the origin that its entries need. `signers` are the keys that the entries name; undefined stands for an entry
 * that names none. Returns the document if readers could use it; keys in the 34-byte form are read as well.
 */
export function checkDid(
  document: AnsweredDocument,
  signers: ReadonlySet<string | undefined>,
  context: SurfaceContext,
): DidDocument | undefined {
  const { ledger } = context;
  const { where } = document;
  const fields = readDid(document);
  if (typeof fields === 'string') {
    const remedy = 'Serve one JSON object; without it readers believe no entry.';
    ledger.note({ clause: 'AF-ID1', where, seen: fields, remedy });
    return undefined;
  }
  const isOurs = checkId(fields.id, where, context);
  const methods = checkMethods(fields.verificationMethod, where, context);
  if (methods === undefined) return undefined;
  const did = typeof fields.id === 'string' ? fields.id : didOf(context.origin ?? UNKNOWN);
  for (const method of usedMethods(methods, signers, did)) checkMethod(method, did, context);
  if (!isOurs) return undefined;

  const text = withoutMark(documentText(document).text);
  const decoded = decodeDidDocument(text, context.origin ?? UNKNOWN, { acceptMulticodecKeys: true });
  if (decoded.ok) return decoded.value;
  // Covers everything else that readers refuse.
  ledger.note({ clause: 'AF-ID4', where, seen: decoded.issues[0].message, remedy: 'Mend did.json.' });
  return undefined;
}

function checkId(id: unknown, where: string, { ledger, origin }: SurfaceContext): boolean {
  if (origin === undefined) ledger.skipped(UNKNOWN_ORIGIN, 'AF-ID2');
  else ledger.looked('AF-ID2');
  ledger.looked('AF-ID3');
  const did = origin === undefined ? 'did:web:<host>' : didOf(origin);
  const remedy = `Write "id": "${did}".`;
  if (typeof id !== 'string' || id === '') {
    ledger.note({ clause: 'AF-ID3', where, seen: 'It has no id.', remedy });
    return false;
  }
  if (origin !== undefined && isSameDid(id, did)) return true;
  const isBarePort = origin !== undefined && origin.port !== '' && isSameDid(id, `did:web:${origin.host}`);
  if (isBarePort) {
    const seen = `Its id ${shownValue(id)} has a bare ":" before the port, which would be a path.`;
    ledger.note({ clause: 'AF-ID2', where, seen, remedy });
  } else ledger.note({ clause: 'AF-ID3', where, seen: `Its id is ${shownValue(id)}, not ${did}.`, remedy });
  return false;
}

function checkMethods(value: unknown, where: string, { ledger }: SurfaceContext): readonly Method[] | undefined {
  ledger.looked('AF-ID4');
  const remedy = 'Write an array with a method for each key.';
  if (!Array.isArray(value) || value.length === 0) {
    const seen = Array.isArray(value) ? 'Its verificationMethod is empty.' : 'It has no array verificationMethod.';
    ledger.note({ clause: 'AF-ID4', where, seen, remedy });
    return undefined;
  }
  const strange = value.findIndex((each) => !isRecord(each));
  if (strange !== -1) {
    ledger.note({ clause: 'AF-ID4', where, seen: `verificationMethod[${strange}] is no object.`, remedy });
  }
  return value.flatMap((fields, at) =>
    isRecord(fields) ? { fields, where: `${where} verificationMethod[${at}]` } : [],
  );
}

/** The methods that entries name, plus the default method for entries that name none. */
function usedMethods(methods: readonly Method[], signers: ReadonlySet<string | undefined>, did: string): Set<Method> {
  const absolute = (id: unknown) => (typeof id === 'string' && id.startsWith('#') ? `${did}${id}` : id);
  const named = new Set([...signers].map(absolute));
  const used = new Set(methods.filter(({ fields }) => fields.id !== undefined && named.has(absolute(fields.id))));
  const standard = methods.find(({ fields }) => fields.type === METHOD_TYPE) ?? methods[0];
  if ((used.size === 0 || signers.has(undefined)) && standard !== undefined) used.add(standard);
  return used;
}

function checkMethod({ fields, where }: Method, did: string, { ledger }: SurfaceContext): void {
  const { type, controller, publicKeyMultibase: key } = fields;
  ledger.looked('AF-ID5', 'AF-ID6', 'AF-ID7');
  if (type !== METHOD_TYPE) {
    const seen = `Its type is ${shownValue(type)}.`;
    ledger.note({ clause: 'AF-ID5', where, seen, remedy: `Write "type": "${METHOD_TYPE}".` });
    return;
  }
  if (typeof controller !== 'string' || !isSameDid(controller, did)) {
    const seen = controller === undefined ? 'It has no controller.' : `Its controller is ${shownValue(controller)}.`;
    ledger.note({ clause: 'AF-ID6', where, seen, remedy: 'Write the id of the document as controller.' });
  }
  const problem = problemOf(key);
  if (problem === undefined) return;
  const remedy = 'Write the raw 32 bytes of the Ed25519 key, best "u" and their base64url without padding.';
  ledger.note({ clause: 'AF-ID7', where, seen: problem, remedy });
}

function problemOf(key: unknown): string | undefined {
  if (typeof key !== 'string') return `Its publicKeyMultibase is ${shownValue(key)}.`;
  const bytes = decodeMultibase(key);
  if (typeof bytes === 'string') return `Its publicKeyMultibase ${shownValue(key)} cannot be read: ${bytes}.`;
  if (bytes.length === KEY_BYTES) {
    return publicKeyOf(bytes) === undefined
      ? 'Its key is none that proves anything: anybody could sign for it.'
      : undefined;
  }
  if (bytes.length === KEY_BYTES + 2 && bytes[0] === 0xed && bytes[1] === 0x01) {
    return 'Its key has 34 bytes: the multicodec header ed01, which other specifications want (z6Mk…), stands before the 32 that agent-feed wants. Readers refuse it unless they are told otherwise.';
  }
  return `Its key has ${bytes.length} bytes, not ${KEY_BYTES}.`;
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
