import { decodePayload } from '../../../codecs/agent-feed/decode-payload.ts';
import { decodeJsonObject } from '../../../codecs/agent-feed/json-members.ts';
import {
  type AnnouncementFact,
  type DecodedEntry,
  type DeprecationFact,
  ENTRY_TYPES,
  type EntryType,
  type Fact,
  type MigrationDelta,
} from '../../../codecs/agent-feed/wire.ts';
import type { Issue, Result } from '../../../codecs/primitives/result.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { isTypeToken } from '../../../surface/type-token.ts';
import { canonicalFaults } from './canonical-faults.ts';
import { type SurfaceContext, shownValue } from './seen-surface.ts';

const OF_CANONICAL_FORM = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((number) => `AF-CJ${number}`);
const OF_TYPE: Readonly<Record<EntryType, readonly string[]>> = {
  'endpoint-announcement': ['AF-PA1', 'AF-PA2', 'AF-PA3', 'AF-PA4', 'AF-PA5', 'AF-SC3'],
  'schema-change': ['AF-PS1', 'AF-PS3', 'AF-PS4', 'AF-PS5', 'AF-PS6', 'AF-PS7', 'AF-PS8'],
  deprecation: ['AF-PD2', 'AF-PD3', 'AF-PD4', 'AF-PD5'],
};
/** RFC 6901. The empty pointer, which means the whole document, is useless in a delta. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/;
const MAX_POINTERS = 10_000;

type Note = (clause: string, seen: string, level?: 'MUST' | 'SHOULD' | 'MAY') => void;

/** Checks what the content says and how it is written (§25–§27, §30). Undefined if readers would not apply it. */
export function checkPayload(entry: DecodedEntry, where: string, context: SurfaceContext): Fact | undefined {
  const { ledger } = context;
  ledger.looked('AF-EN9');
  const note: Note = (clause, seen, level) =>
    ledger.note({ clause, ...(level && { level }), where, seen, remedy: remedyFor(clause) });
  const { content, contentType } = entry;
  if (content === undefined || content === '') {
    note('AF-EN9', 'It has no content.');
    return undefined;
  }
  if (contentType !== 'application/json') {
    note('AF-EN9', `The type of its content is ${contentType === undefined ? 'missing' : shownValue(contentType)}.`);
  }
  const hasMark = content.startsWith('\uFEFF');
  if (hasMark) {
    note('AF-CJ11', 'Its content begins with a byte order mark.');
    note('AF-EN9', 'It is not canonical JSON: a byte order mark stands before it.');
  }
  const text = hasMark ? content.slice(1) : content;
  const type = ENTRY_TYPES.find((known) => known === entry.type);
  const decoded = type === undefined ? undefined : decodePayload(type, text);
  const issue = issueOf(decoded ?? decodeJsonObject(text));
  if (issue !== undefined && !/^AF-P[ADS]\d/.test(issue.clause)) {
    note(issue.clause === 'AF-SN1' ? 'AF-EN9' : issue.clause, issue.message.slice(0, 300));
    if (issue.clause === 'AF-CJ4') note('AF-EN9', 'It has no canonical form.');
    return undefined;
  }
  ledger.looked(...OF_CANONICAL_FORM);
  for (const { clause, seen, level } of canonicalFaults(text)) note(clause, seen, level);
  if (type === undefined) return undefined;

  ledger.looked(...OF_TYPE[type]);
  if (!decoded?.ok) {
    // Readers refuse it, so it is reported as a MUST even if the clause is weaker.
    if (issue !== undefined) note(issue.clause, issue.message.slice(0, 300), 'MUST');
    return undefined;
  }
  checkFact(decoded.value, text, context, note);
  checkTimes(entry.updated, decoded.value, note);
  return decoded.value;
}

function issueOf(result: Result<unknown>): Issue | undefined {
  return result.ok ? undefined : result.issues[0];
}

function checkFact(fact: Fact, text: string, context: SurfaceContext, note: Note): void {
  if (fact.type === 'endpoint-announcement') {
    if (fact.endpointId === fact.endpoint && !hasId(text)) {
      note('AF-PA1', 'The payload has no endpoint-id. Readers take its endpoint for one.');
    }
    checkAnnouncement(fact, context, note);
  } else if (fact.type === 'schema-change') checkMigration(fact.migration, note);
  else checkDeprecation(fact, note);
}

function hasId(text: string): boolean {
  const payload = decodeJsonObject(text);
  return payload.ok && Object.hasOwn(payload.value, 'endpoint-id');
}

function checkAnnouncement(
  { endpoint, protocol }: AnnouncementFact,
  { origin, isPrivateHost }: SurfaceContext,
  note: Note,
): void {
  if (!/^[!-@[-~]+$/.test(protocol)) {
    note('AF-PA3', `Its protocol ${shownValue(protocol)} is not lower-case ASCII, as is the custom.`, 'MAY');
  }
  // An origin inside a private network may announce endpoints inside it.
  if (endpoint.startsWith('/') || (origin !== undefined && isPrivateHost(origin))) return;
  if (isPrivateHost(new URL(endpoint))) note('AF-SC3', `Its endpoint ${shownValue(endpoint)} is inside of a network.`);
}

function checkMigration({ add = [], remove = [], rename = {}, retype = {} }: MigrationDelta, note: Note): void {
  const strange = (pointers: readonly string[]) => pointers.slice(0, MAX_POINTERS).find((each) => !POINTER.test(each));
  const notePointer = (clause: string, operator: string, pointer: string | undefined) => {
    if (pointer !== undefined)
      note(clause, `migration.${operator} has ${shownValue(pointer)}, which is no JSON Pointer.`, 'MUST');
  };
  notePointer('AF-PS5', 'add', strange(add));
  notePointer('AF-PS5', 'remove', strange(remove));
  notePointer('AF-PS6', 'rename', strange(Object.entries(rename).flat()));
  notePointer('AF-PS7', 'retype', strange(Object.keys(retype)));
  const tokens = Object.values(retype).flatMap(({ from, to }) => [from, to]);
  const token = tokens.slice(0, MAX_POINTERS).find((each) => !isTypeToken(each));
  if (token !== undefined) note('AF-PS8', `migration.retype has ${shownValue(token)}, which is no type token.`);
}

function checkDeprecation({ endpointId, replacement, sunset, announcedAt }: DeprecationFact, note: Note): void {
  if (replacement === endpointId) note('AF-PD4', 'It names the endpoint itself as its replacement.', 'SHOULD');
  if ((parseTime(sunset) ?? 0) < (parseTime(announcedAt) ?? 0)) {
    note('AF-PD3', `Its sunset ${shownValue(sunset)} is before its announced-at ${shownValue(announcedAt)}.`, 'MAY');
  }
}

const MINUTE_MS = 60_000;

function checkTimes(updated: string | undefined, fact: Fact, note: Note): void {
  const claimed =
    fact.type === 'endpoint-announcement'
      ? fact.assertedAt
      : fact.type === 'schema-change'
        ? fact.effectiveAt
        : fact.announcedAt;
  const updatedMs = parseTime(updated ?? '');
  const claimedMs = parseTime(claimed);
  if (updatedMs === undefined || claimedMs === undefined || Math.abs(updatedMs - claimedMs) <= MINUTE_MS) return;
  note('AF-EN5', `Its updated is ${shownValue(updated)}, while its signed payload says ${shownValue(claimed)}.`, 'MAY');
}

function remedyFor(clause: string): string {
  if (clause === 'AF-EN5') return 'Let updated be the time at which the fact became true.';
  if (clause === 'AF-SC3') return 'Announce the public URL, or nothing: the feed is for everybody.';
  if (clause === 'AF-EN1') return 'Let af:type be that of the payload.';
  if (clause === 'AF-EN9') return 'Write the canonical JSON of the payload into <content type="application/json">.';
  if (clause.startsWith('AF-CJ')) return 'Write the payload in canonical JSON before it is signed.';
  if (clause.startsWith('AF-PS')) return 'Write the payload of a schema-change as §26 says it, under a new id.';
  if (clause.startsWith('AF-PD')) return 'Write the payload of a deprecation as §27 says it, under a new id.';
  return 'Write the payload of an endpoint-announcement as §25 says it, under a new id.';
}
