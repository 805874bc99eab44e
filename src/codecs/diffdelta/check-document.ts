import type { JsonRecord } from '../primitives/json-record.ts';
import type { Ledger } from '../primitives/ledger.ts';
import { looksLikeHtml, type SeenDocument } from '../primitives/seen-document.ts';
import { readOnce } from './seen.ts';

export interface ReadDocument {
  readonly where: string;
  readonly text: string;
  readonly fields: JsonRecord;
}

/** The clauses that require a document to exist and to be well formed. */
export interface DocumentClauses {
  readonly place: string;
  readonly form: string;
  /** Its name in messages. */
  readonly name: string;
}

/** A document that a client can read, or findings that say why it cannot. */
export function readChecked(
  document: SeenDocument,
  { place, form, name }: DocumentClauses,
  ledger: Ledger,
): ReadDocument | undefined {
  const { where } = document;
  ledger.looked(place);
  if (document.kind === 'unread' || document.status !== 200) {
    const seen = document.kind === 'unread' ? document.failure : `The answer has status ${document.status}.`;
    ledger.note({ clause: place, where, seen, remedy: `Serve the ${name} there with status 200.` });
    return undefined;
  }
  noteStranger(where, document.servedBy, { place, name }, ledger);
  ledger.looked(form);
  const { text, isUtf8, read } = readOnce(document);
  const remedy = `Serve the ${name} as one JSON object in UTF-8.`;
  if (!isUtf8) ledger.note({ clause: form, where, seen: 'Its bytes are not UTF-8.', remedy });
  if (text.startsWith('\uFEFF'))
    ledger.note({ clause: form, where, seen: 'It begins with a byte order mark, which JSON forbids.', remedy });
  if (read.ok) return { where, text, fields: read.value };
  const seen = looksLikeHtml(text) ? 'It is an HTML page.' : read.issues[0].message;
  ledger.note({ clause: form, where, seen, remedy });
  return undefined;
}

/** A client that sends a key must not send it to another origin (T-DD-23). */
function noteStranger(
  where: string,
  servedBy: string | undefined,
  { place, name }: Pick<DocumentClauses, 'place' | 'name'>,
  ledger: Ledger,
): void {
  if (servedBy === undefined || new URL(servedBy).origin === new URL(where).origin) return;
  ledger.note({
    clause: place,
    // Only for the manifest: a host may have two names, and all later requests go to the second one.
    ...(place === 'DD-D1' && { level: 'SHOULD' as const }),
    where,
    seen: `It redirects to another origin, ${servedBy}: a client that sends its key stops there.`,
    remedy: `Serve the ${name} at this address itself.`,
  });
}
