import { canonicalJson } from '../codecs/primitives/canonical-json.ts';
import { factOf } from '../dialects/agent-feed/surface/surface-facts.ts';
import { decodeSurfaceRecord, RECORD_PATH } from '../dialects/agent-feed/surface/surface-record.ts';
import { createFileFolder } from '../io/files/folder.ts';
import type { SchemaChange, SurfaceTarget } from './surface.ts';

/**
 * The id of the last entry about the endpoint, if it states exactly this change: it was signed before a crash, or by hand. Also undefined if the record cannot
 * be read; signing reports that.
 */
export async function findSaid(
  { dir }: SurfaceTarget,
  { endpointId, from, to, migration }: SchemaChange,
): Promise<string | undefined> {
  const bytes = await createFileFolder(dir).read(RECORD_PATH);
  const record = bytes && decodeSurfaceRecord(new TextDecoder().decode(bytes));
  if (!record?.ok) return undefined;
  const entries = record.value.entries.map((entry) => ({ id: entry.id, fact: factOf(entry) }));
  const last = entries.findLast(({ fact }) => fact?.type === 'schema-change' && fact.endpointId === endpointId);
  if (last?.fact?.type !== 'schema-change') return undefined;
  const { fromVersion, toVersion, migration: said } = last.fact;
  const isSaid = fromVersion === from && toVersion === to && canonicalJson(said) === canonicalJson(migration);
  return isSaid ? last.id : undefined;
}
