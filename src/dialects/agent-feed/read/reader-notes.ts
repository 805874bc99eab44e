import type { ReaderEvent } from './reader-event.ts';

const LONGEST = 200;

/**
 * One sentence for an operator about an event. Undefined for events that the outcome of the visit reports anyway, and for events
 * that are no fault.
 */
export function noteOf(event: ReaderEvent): string | undefined {
  switch (event.event) {
    case 'unverified-entry':
      return `The entry ${quoted(event.entryId)} is passed over: ${sentence(event.reason)}`;
    case 'malformed-payload':
      return `The entry ${quoted(event.entryId)} is signed, but not what its type says: ${sentence(event.reason)}`;
    case 'replay-mismatch':
      return `The entry ${quoted(event.entryId)} came again with another content: ${sentence(event.reason)}`;
    case 'repeated-payload':
      return `The entry ${quoted(event.entryId)} repeats what ${quoted(event.firstId)} said.`;
    case 'unknown-entry-type':
      return `The entry ${quoted(event.entryId)} is of the unknown type ${quoted(event.type)} and is passed over.`;
    case 'schema-change-of-unknown':
      return `The endpoint ${quoted(event.endpointId)} changed before it was announced.`;
    case 'deprecation-of-unknown':
      return `The endpoint ${quoted(event.endpointId)} is deprecated without ever having been announced.`;
    case 'limit-exceeded':
      return `The entry ${quoted(event.entryId)} says more of ${quoted(event.endpointId)} than is kept, and is passed over.`;
    case 'key-unresolvable':
      return `A key cannot be used: ${sentence(event.reason)}`;
    case 'snapshot-feed-disagreement':
      return `The agent card names ${event.endpoints.length} endpoints otherwise than the feed. The feed counts.`;
    case 'migrated':
      return event.refused === undefined
        ? `The feed moved${event.to === undefined ? '' : ` to ${quoted(event.to)}`}.`
        : `The feed moved and is not followed: ${sentence(event.refused)}`;
    case 'retrusted':
      return `An operator trusted the feed again at ${event.at}.`;
    case 'events-suppressed':
      return `${event.count} more of ${event.of}.`;
    case 'did-unreachable':
    case 'did-malformed':
    case 'feed-unreachable':
    case 'feed-malformed':
    case 'unsupported-spec-version':
    case 'terminated':
    case 'active-but-untrusted':
    case 'rate-limited':
    case 'unknown-element':
    case 'deprecated-and-sunset':
    case 'entries-absent':
    case 'mismatch':
      return undefined;
  }
}

function quoted(text: string): string {
  return JSON.stringify(short(text));
}

function sentence(text: string): string {
  return `${short(text).replace(/\.$/, '')}.`;
}

function short(text: string): string {
  const line = text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1).toWellFormed()}…`;
}
