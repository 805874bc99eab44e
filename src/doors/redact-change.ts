import type { TextRedaction } from '../dialects/shelf.ts';
import { quotedFields, spellings } from '../dialects/tlog/redact/redact-change.ts';
import type { RedactedChange } from '../hub/routes/redact-routes.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import type { Change } from '../model/change.ts';

export interface RedactParts {
  readonly store: Pick<WholeHubStore, 'changeById' | 'changes' | 'snapshot' | 'redactChange'>;
  /** The paths of documents that are not rewritten and contain one of these texts of the change. */
  readonly documentsTelling: (change: Change, texts: readonly string[]) => Promise<readonly string[]>;
  /** Records the redaction in the provable log. */
  readonly tell: (redaction: TextRedaction) => Promise<void>;
}

/**
 * Removes the texts of a change from a hub. The redaction is first recorded in the provable log, which drops the salts; after an interruption, run it again.
 * Undefined if the log has no such change.
 */
export async function redactChange(
  id: string,
  { store, documentsTelling, tell }: RedactParts,
): Promise<RedactedChange | undefined> {
  const change = await store.changeById(id);
  if (change === undefined) return undefined;
  const fields = quotedFields(change);
  if (fields.length === 0) return { id, fields, kept: [] };
  const texts = spellings(change, fields);
  const kept = await documentsTelling(change, texts);
  await tell({ id, seq: change.seq, fields });
  await store.redactChange({ seq: change.seq, fields, snapshots: await tellingSnapshots(change, texts, store) });
  return { id, fields, kept };
}

/**
 * The snapshots of the page around the change, and all other snapshots of the page that contain one of the texts. They are found through the changes of the
 * page.
 */
async function tellingSnapshots(
  { source, url, provenance }: Change,
  texts: readonly string[],
  store: RedactParts['store'],
): Promise<readonly string[]> {
  const telling = new Set(namesIn([provenance.before, provenance.after]));
  const others = new Set<string>();
  for await (const each of store.changes({ source }))
    if (each.url === url) for (const name of namesIn([each.provenance.before, each.provenance.after])) others.add(name);
  for (const name of others) {
    const text = telling.has(name) ? undefined : await store.snapshot(name);
    if (text !== undefined && texts.some((each) => text.includes(each))) telling.add(name);
  }
  return [...telling];
}

function namesIn(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}
