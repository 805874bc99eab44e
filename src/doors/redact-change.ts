import type { TextRedaction } from '../dialects/shelf.ts';
import { quotedFields, spellings } from '../dialects/tlog/redact/redact-change.ts';
import type { RedactedChange } from '../hub/routes/redact-routes.ts';
import type { DialectEvent } from '../hub/shelves/hub-shelves.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import type { Change } from '../model/change.ts';

export interface RedactParts {
  readonly store: Pick<WholeHubStore, 'changeById' | 'redactChange'>;
  /** What is written of it in documents that stay as they are. */
  readonly eventsOf: (change: Change) => Promise<readonly Pick<DialectEvent, 'path' | 'text'>[]>;
  /** Says so in the provable log. */
  readonly tell: (redaction: TextRedaction) => Promise<void>;
}

/**
 * Takes the texts of a change out of a hub. It is said in the provable log first, which forgets the salts: whoever is cut off in between does it again.
 * Undefined where the log has no such change.
 */
export async function redactChange(
  id: string,
  { store, eventsOf, tell }: RedactParts,
): Promise<RedactedChange | undefined> {
  const change = await store.changeById(id);
  if (change === undefined) return undefined;
  const fields = quotedFields(change);
  if (fields.length === 0) return { id, fields, kept: [] };
  const texts = spellings(change, fields);
  const kept = (await eventsOf(change)).filter(
    ({ text }) => text === undefined || texts.some((each) => text.includes(each)),
  );
  await tell({ id, seq: change.seq, fields });
  await store.redactChange(change.seq, fields);
  return { id, fields, kept: kept.map(({ path }) => path) };
}
