import { isRecord } from '../primitives/json-record.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { filledText, given, readObject } from './read-object.ts';

/** One entry of a list of sources. */
export interface DecodedListedSource {
  readonly id: string;
  readonly isEnabled: boolean;
  /** As written: resolve it against the URL of the list. */
  readonly latestUrl?: string;
}

/** No service has more; longer lists are cut. */
const MAX_LISTED = 2000;

/**
 * Reads `/diff/sources.json` of any server, which no version of the specification describes:
 *
 *     { "sources": [{ "source_id": "docs", "enabled": true, "status": "ok", "latest_url": "/diff/docs/latest.json" }] }
 *
 * A source is enabled unless the list says otherwise. An entry without an id is skipped.
 */
export function decodeSourceList(text: string): Result<readonly DecodedListedSource[]> {
  const read = readObject(text);
  if (!read.ok) return read;
  const { sources } = read.value;
  if (!Array.isArray(sources)) return refuse('DD-D5', 'The list of sources has no sources.');
  return accept(sources.slice(0, MAX_LISTED).flatMap((entry: unknown) => decodeListedSource(entry) ?? []));
}

function decodeListedSource(entry: unknown): DecodedListedSource | undefined {
  if (!isRecord(entry)) return undefined;
  const id = filledText(entry.source_id) ?? filledText(entry.id);
  if (id === undefined) return undefined;
  const isEnabled = entry.enabled !== false && entry.status !== 'disabled';
  return { id, isEnabled, ...given({ latestUrl: filledText(entry.latest_url) }) };
}
