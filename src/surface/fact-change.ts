import { hash } from 'node:crypto';
import { claimedTime, encodePayload } from '../codecs/agent-feed/encode-payload.ts';
import type { DeprecationFact, Fact, MigrationDelta, SchemaChangeFact } from '../codecs/agent-feed/wire.ts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { parseTime } from '../codecs/primitives/time.ts';
import type { ChangeDraft } from '../model/change.ts';
import type { EndpointRecord } from './endpoint-record.ts';

/** A fact with a verified signature, or one that was just signed. */
export interface AppliedFactLike {
  readonly entryId: string;
  readonly fact: Fact;
  /** The id of the verification method. */
  readonly signer: string;
}

export interface FactChangeContext {
  /** The source in the log. */
  readonly source: string;
  readonly feedUrl: string;
  /** The endpoint after the fact; with several protocols, the one that the fact is about. */
  readonly record: EndpointRecord;
  /** No earlier entry has announced this endpoint. */
  readonly isFirst?: boolean;
}

const MAX_TITLE = 200;
const MAX_SUMMARY = 1000;
const MOST_PATHS = 12;

/** The effect of a fact on its endpoint, as a change for the log. */
export function changeOfFact({ entryId, fact, signer }: AppliedFactLike, context: FactChangeContext): ChangeDraft {
  const { source, feedUrl, record, isFirst = false } = context;
  const time = claimedTime(fact);
  return {
    source,
    kind: 'endpoint',
    action: isFirst && fact.type === 'endpoint-announcement' ? 'create' : 'update',
    ...endpointPlaceOf(record, feedUrl),
    ...(parseTime(time) !== undefined && { claimedTime: time }),
    checksum: `sha256:${hash('sha256', payloadText(fact))}`,
    title: titleOf(record),
    summary: short(sentenceOf(fact, record, isFirst), MAX_SUMMARY),
    note: fact.type,
    provenance: {
      by: 'agent-feed',
      originId: entryId.toWellFormed(),
      verified: true,
      signer: signer.toWellFormed(),
      ...factsOf(record),
    },
  };
}

/** A URL that has no endpoint of its feed any more after a fact: followers of that URL get a delete. */
export function changeOfMove(url: string, { fact, signer }: AppliedFactLike, context: FactChangeContext): ChangeDraft {
  const { source, record } = context;
  const time = claimedTime(fact);
  return {
    source,
    kind: 'endpoint',
    action: 'delete',
    url,
    ...(parseTime(time) !== undefined && { claimedTime: time }),
    title: titleOf(record),
    summary: short(`${record.endpointId} is no longer served at ${url}.`, MAX_SUMMARY),
    note: 'moved',
    // The fact itself is reported once, with its id.
    provenance: { by: 'agent-feed', verified: true, signer: signer.toWellFormed(), ...factsOf(record) },
  };
}

/** The end of an endpoint because its feed ended. This is not signed: the status of a feed is outside every signature, and is obeyed anyway (T-AF-2). */
export function changeOfEnd(
  record: EndpointRecord,
  {
    source,
    feedUrl,
    how,
  }: { readonly source: string; readonly feedUrl: string; readonly how: 'terminated' | 'migrated' },
): ChangeDraft {
  const what =
    how === 'terminated' ? 'Its origin ended the feed that announced' : 'Its origin moved the feed that announced';
  return {
    source,
    kind: 'endpoint',
    action: 'delete',
    ...endpointPlaceOf(record, feedUrl),
    title: titleOf(record),
    summary: short(`${what} ${record.endpointId}.`, MAX_SUMMARY),
    note: how,
    provenance: { by: 'agent-feed', verified: false, ...factsOf(record) },
  };
}

/**
 * The URL of an endpoint if it has the same origin as its feed. Any other endpoint is a part of the feed that names it: a feed cannot speak for pages
 * of others, and some endpoints have no web URL.
 */
export function endpointPlaceOf(
  { url, endpointId }: EndpointRecord,
  feedUrl: string,
): Pick<ChangeDraft, 'url' | 'anchor'> {
  const plain = url === undefined ? undefined : plainUrl(url);
  const isOwn = plain !== undefined && new URL(plain).origin === new URL(feedUrl).origin;
  return isOwn ? { url: plain.replace(/#.*$/s, '') } : { url: feedUrl, anchor: endpointId.toWellFormed() };
}

/** In RFC 3986 form: an endpoint may be announced with the braces of a template, or with a name in any script. */
function plainUrl(text: string): string | undefined {
  if (!canParseUrl(text)) return undefined;
  return new URL(text).href.replaceAll(/[^\w.~:/?#[\]@!$&'()*+,;=%-]/gu, encodeURIComponent);
}

function factsOf({ endpointId, protocol, version }: EndpointRecord) {
  return {
    endpointId: endpointId.toWellFormed(),
    ...(protocol !== undefined && { protocol: protocol.toWellFormed() }),
    version: version.toWellFormed(),
  };
}

function titleOf({ endpointId, version, protocol }: EndpointRecord): string {
  return short(`${endpointId} ${version}${protocol === undefined ? '' : ` (${protocol})`}`, MAX_TITLE);
}

function sentenceOf(fact: Fact, { url }: EndpointRecord, isFirst: boolean): string {
  switch (fact.type) {
    case 'endpoint-announcement':
      return `${fact.endpointId} is ${isFirst ? '' : 'now '}served at ${url ?? fact.endpoint} (${fact.protocol}), version ${fact.version}.`;
    case 'schema-change':
      return changeSentence(fact);
    case 'deprecation':
      return deprecationSentence(fact);
  }
}

function changeSentence({ endpointId, fromVersion, toVersion, migration }: SchemaChangeFact): string {
  const parts = partsOf(migration);
  const told = parts.slice(0, MOST_PATHS).join(', ');
  const more = parts.length > MOST_PATHS ? ` and ${parts.length - MOST_PATHS} more` : '';
  const what = parts.length === 0 ? '.' : `: ${told}${more}.`;
  return `The schema of ${endpointId} changed from ${fromVersion} to ${toVersion}${what}`;
}

function partsOf({ add = [], remove = [], rename = {}, retype = {} }: MigrationDelta): string[] {
  return [
    ...add.map((path) => `${path} added`),
    ...Object.entries(rename).map(([from, to]) => `${from} renamed to ${to}`),
    ...Object.entries(retype).map(([path, { from, to }]) => `${path} changed from ${from} to ${to}`),
    ...remove.map((path) => `${path} removed`),
  ];
}

function deprecationSentence({ endpointId, sunset, replacement, reason }: DeprecationFact): string {
  const successor = replacement === null ? '' : `; ${replacement} replaces it`;
  return `${endpointId} is deprecated and ends at ${sunset}${successor}.${reason === null ? '' : ` ${reason}`}`;
}

/** What its origin signed, if that contains no unknown keys. */
function payloadText(fact: Fact): string {
  const payload = encodePayload(fact);
  // Half a surrogate pair has no canonical form; its escape has one.
  return payload.ok ? payload.value : JSON.stringify(fact);
}

/** One line. */
function short(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
