import { canonicalJson } from '../primitives/canonical-json.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { formatTime, parseTime } from '../primitives/time.ts';
import type { Fact } from './wire.ts';

/** XML cannot carry a payload with these characters, and canonical JSON may not escape them (T-AF-23). */
const NOT_FOR_XML = /[\uFFFE\uFFFF]/;
/** Characters that XML does not allow. */
const NO_XML_TEXT = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** The text to sign: the canonical JSON of what an entry says (§25 to §27, §30). */
export function encodePayload(fact: Fact): Result<string> {
  try {
    const text = canonicalJson(payloadOf(fact));
    return NOT_FOR_XML.test(text)
      ? refuse('AF-EN9', 'It holds U+FFFE or U+FFFF, which no XML can carry.')
      : accept(text);
  } catch (error) {
    if (error instanceof TypeError) return refuse('AF-EN9', error.message);
    throw error;
  }
}

function payloadOf(fact: Fact): Record<string, unknown> {
  switch (fact.type) {
    case 'endpoint-announcement':
      return {
        'endpoint-id': fact.endpointId,
        endpoint: fact.endpoint,
        protocol: fact.protocol,
        version: fact.version,
        'asserted-at': fact.assertedAt,
      };
    case 'schema-change':
      return {
        'endpoint-id': fact.endpointId,
        'from-version': fact.fromVersion,
        'to-version': fact.toVersion,
        'effective-at': fact.effectiveAt,
        migration: fact.migration,
      };
    case 'deprecation':
      return {
        'endpoint-id': fact.endpointId,
        'announced-at': fact.announcedAt,
        sunset: fact.sunset,
        ...(fact.replacement !== null && { replacement: fact.replacement }),
        ...(fact.reason !== null && { reason: fact.reason }),
      };
  }
}

/** When a fact became true, according to its publisher. */
export function claimedTime(fact: Fact): string {
  switch (fact.type) {
    case 'endpoint-announcement':
      return fact.assertedAt;
    case 'schema-change':
      return fact.effectiveAt;
    case 'deprecation':
      return fact.announcedAt;
  }
}

/** The claimed time in the form that `updated` requires, in UTC with a Z. Undefined if the claim is not a time. */
export function updatedOf(fact: Fact): string | undefined {
  const timeMs = parseTime(claimedTime(fact));
  return timeMs === undefined ? undefined : formatTime(timeMs);
}

/** One plain sentence for people. It is not signed, and readers do not use it. */
export function summaryOf(fact: Fact): string {
  return sentenceOf(fact).replaceAll(NO_XML_TEXT, '\uFFFD').replaceAll(/\s+/g, ' ');
}

function sentenceOf(fact: Fact): string {
  switch (fact.type) {
    case 'endpoint-announcement':
      return `${fact.endpointId} is served at ${fact.endpoint} (${fact.protocol}, version ${fact.version}).`;
    case 'schema-change':
      return `The schema of ${fact.endpointId} changes from version ${fact.fromVersion} to ${fact.toVersion}.`;
    case 'deprecation': {
      const next = fact.replacement === null ? 'It has no replacement' : `Use ${fact.replacement} instead`;
      return `${fact.endpointId} ends at ${fact.sunset}. ${next}.`;
    }
  }
}
