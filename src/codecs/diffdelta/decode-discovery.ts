import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import { accept, type Issue, type Result, refuse } from '../primitives/result.ts';
import { filledText, filledTexts, given, note, readObject, secondsOf, valueInMessage } from './read-object.ts';

/** Where a server says its feeds are. */
export interface DecodedDiscovery {
  /** As written: resolve them against the URL of the manifest. The templates contain `{source}`. */
  readonly endpoints: DecodedEndpoints;
  readonly polling: { readonly recommended_ttl_sec?: number };
  /** Only those with a boolean value. */
  readonly capabilities: Readonly<Record<string, boolean>>;
  /** Absent if the manifest has no list. */
  readonly sources_supported?: readonly string[];
  /** Deviations from the specification that do not stop a client. */
  readonly issues: readonly Issue[];
}

export interface DecodedEndpoints {
  readonly diff_latest?: string;
  readonly diff_head?: string;
  readonly diff_sources?: string;
  readonly diff_by_source_template?: string;
  readonly diff_head_by_source_template?: string;
}

/**
 * Reads the manifest at `/.well-known/diffdelta.json` of any server. Refuses a manifest that leads to no feed.
 *
 * @example
 * const found = decodeDiscovery(await (await fetch('https://feeds.example/.well-known/diffdelta.json')).text());
 * if (found.ok) console.log(found.value.endpoints.diff_latest, found.value.sources_supported);
 */
export function decodeDiffDeltaDiscovery(text: string): Result<DecodedDiscovery> {
  const read = readObject(text);
  if (!read.ok) return read;
  const { endpoints: places, polling, capabilities, sources_supported: sources } = read.value;
  if (!isRecord(places)) return refuse('DD-D2', 'The manifest has no endpoints.');

  const issues: Issue[] = [];
  const endpoints = decodeEndpoints(places, issues);
  if (endpoints.diff_latest === undefined && endpoints.diff_by_source_template === undefined)
    return refuse('DD-D2', 'The manifest names neither a feed of all sources nor a template for one.');
  const ttlSec = isRecord(polling) ? secondsOf(polling.recommended_ttl_sec) : undefined;
  if (ttlSec === undefined) note(issues, 'DD-D4', 'polling.recommended_ttl_sec is not a number of seconds.');
  if (!Array.isArray(sources)) note(issues, 'DD-D5', 'sources_supported is not a list.');
  const flags = decodeFlags(capabilities);
  if (flags.etag_supported !== true) note(issues, 'DD-D6', 'capabilities.etag_supported is not true.');
  if (flags.cursor_supported !== true) note(issues, 'DD-D7', 'capabilities.cursor_supported is not true.');
  return accept({
    endpoints,
    polling: given({ recommended_ttl_sec: ttlSec }),
    capabilities: flags,
    ...(Array.isArray(sources) && { sources_supported: filledTexts(sources) }),
    issues,
  });
}

function decodeEndpoints(places: JsonRecord, issues: Issue[]): DecodedEndpoints {
  const latest = filledText(places.diff_latest);
  if (latest === undefined)
    note(issues, 'DD-D2', `endpoints.diff_latest is ${valueInMessage(places.diff_latest)}, not a URL.`);
  const template = templateOf(places.diff_by_source_template);
  if (template === undefined)
    note(issues, 'DD-D3', `endpoints.diff_by_source_template is ${valueInMessage(places.diff_by_source_template)}.`);
  return given({
    diff_latest: latest,
    diff_head: filledText(places.diff_head),
    diff_sources: filledText(places.diff_sources),
    diff_by_source_template: template,
    diff_head_by_source_template: templateOf(places.diff_head_by_source_template),
  });
}

/** §1 writes `{source_id}` where §8 writes `{source}` (T-DD-21). A template without either is useless. */
function templateOf(value: unknown): string | undefined {
  const template = filledText(value)?.replaceAll('{source_id}', '{source}');
  return template?.includes('{source}') ? template : undefined;
}

function decodeFlags(value: unknown): Readonly<Record<string, boolean>> {
  const flags: Record<string, boolean> = Object.create(null);
  if (!isRecord(value)) return flags;
  for (const [name, flag] of Object.entries(value)) if (typeof flag === 'boolean') flags[name] = flag;
  return flags;
}
