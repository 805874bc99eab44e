import { endpointProblem } from '../../../codecs/agent-feed/endpoint.ts';
import type {
  AnnouncementFact,
  DeprecationFact,
  Fact,
  MigrationDelta,
  SchemaChangeFact,
} from '../../../codecs/agent-feed/wire.ts';
import { formatTime, parseTime } from '../../../codecs/primitives/time.ts';
import { SurfaceRefusedError } from '../../../errors/surface-error.ts';
import type { SurfaceTable } from '../../../surface/surface-table.ts';
import { checkMigration } from './check-migration.ts';
import { checkText, checkTime } from './check-text.ts';
import { type IsPublicAddress, isPrivateHost } from './private-host.ts';
import type { SurfaceSite } from './surface-site.ts';

export interface Announcement {
  readonly endpointId: string;
  /** An absolute URL, or a path that begins with `/`. */
  readonly endpoint: string;
  readonly protocol: string;
  readonly version: string;
  /** RFC 3339; now when absent. */
  readonly assertedAt?: string;
}

export interface SchemaChange {
  readonly endpointId: string;
  readonly from: string;
  readonly to: string;
  readonly migration: MigrationDelta;
  /** RFC 3339; now when absent. */
  readonly effectiveAt?: string;
}

export interface Deprecation {
  readonly endpointId: string;
  /** RFC 3339. */
  readonly sunset: string;
  /** The endpoint-id of the successor. */
  readonly replacement?: string;
  readonly reason?: string;
  /** RFC 3339; now when absent. */
  readonly announcedAt?: string;
}

/** What a fact is checked against before it is signed. */
export interface FactContext {
  readonly site: SurfaceSite;
  /** What the feed says so far. */
  readonly table: SurfaceTable;
  readonly nowMs: number;
  readonly force: boolean;
  readonly isPublicAddress: IsPublicAddress;
}

export interface CheckedFact {
  readonly fact: Fact;
  readonly warnings: readonly string[];
}

export function checkAnnouncement(draft: Announcement, context: FactContext): CheckedFact {
  const fact: AnnouncementFact = {
    type: 'endpoint-announcement',
    endpointId: checkText('endpoint-id', draft.endpointId),
    endpoint: checkEndpoint(draft.endpoint, context),
    protocol: checkText('protocol', draft.protocol),
    version: checkText('version', draft.version),
    assertedAt: checkTime('asserted-at', draft.assertedAt ?? formatTime(context.nowMs)),
  };
  const other = context.table
    .find(fact.endpointId)
    .find(({ protocol }) => protocol !== undefined && protocol !== fact.protocol);
  if (other !== undefined) {
    throw new SurfaceRefusedError(
      'endpoint-id',
      `"${fact.endpointId}" is announced for ${other.protocol}. Facts name an endpoint by its id alone: give this one another id.`,
      'fix-input',
    );
  }
  const doubts = [
    !/^[!-@[-~]+$/.test(fact.protocol) && `protocol "${fact.protocol}" is not lower-case ASCII, as is the custom.`,
    /^(?:http|ws):/i.test(fact.endpoint) &&
      `endpoint ${fact.endpoint} is not encrypted: whoever is on the way reads and changes what agents send there.`,
  ];
  return { fact, warnings: doubts.filter((doubt) => doubt !== false) };
}

export function checkSchemaChange(draft: SchemaChange, { table, nowMs }: FactContext): CheckedFact {
  const { delta, warnings } = checkMigration(draft.migration);
  const fact: SchemaChangeFact = {
    type: 'schema-change',
    endpointId: checkText('endpoint-id', draft.endpointId),
    fromVersion: checkText('from', draft.from),
    toVersion: checkText('to', draft.to),
    effectiveAt: checkTime('effective-at', draft.effectiveAt ?? formatTime(nowMs)),
    migration: delta,
  };
  const known = table.find(fact.endpointId)[0];
  const doubts = [
    known?.url === undefined && `"${fact.endpointId}" is not announced. Readers have no URL for it.`,
    known !== undefined &&
      known.version !== fact.fromVersion &&
      `"${fact.endpointId}" is at version ${known.version}, not at ${fact.fromVersion}.`,
    fact.fromVersion === fact.toVersion && `It changes from version ${fact.fromVersion} to itself.`,
  ];
  return { fact, warnings: [...warnings, ...doubts.filter((doubt) => doubt !== false)] };
}

export function checkDeprecation(draft: Deprecation, { table, nowMs }: FactContext): CheckedFact {
  const { replacement = null, reason = null } = draft;
  const fact: DeprecationFact = {
    type: 'deprecation',
    endpointId: checkText('endpoint-id', draft.endpointId),
    announcedAt: checkTime('announced-at', draft.announcedAt ?? formatTime(nowMs)),
    sunset: checkTime('sunset', draft.sunset),
    replacement: replacement === null ? null : checkText('replacement', replacement),
    reason,
  };
  if (reason !== null && typeof reason !== 'string') throw new SurfaceRefusedError('reason', 'It must be a string.');
  if (!isAnnounced(table, fact.endpointId)) {
    throw new SurfaceRefusedError(
      'endpoint-id',
      `"${fact.endpointId}" is not announced, and readers ignore the end of what they do not know. Announce it first.`,
      'fix-input',
    );
  }
  if (fact.replacement === fact.endpointId)
    throw new SurfaceRefusedError('replacement', 'An endpoint cannot replace itself.');

  const doubts = [
    fact.replacement !== null &&
      !isAnnounced(table, fact.replacement) &&
      `replacement "${fact.replacement}" is not announced. It is an endpoint-id, and has no URL until it is.`,
    leadsBack(table, fact) &&
      `The replacements lead back to "${fact.endpointId}": after the sunsets none of them has a URL.`,
    (parseTime(fact.sunset) ?? 0) < (parseTime(fact.announcedAt) ?? 0) &&
      `sunset ${fact.sunset} is before announced-at ${fact.announcedAt}.`,
  ];
  return { fact, warnings: doubts.filter((doubt) => doubt !== false) };
}

/** With such a step the card would have another URL than the feed. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** AF-PA2, AF-SC3. */
function checkEndpoint(value: unknown, { site, force, isPublicAddress }: FactContext): string {
  const text = checkText('endpoint', value);
  const problem = endpointProblem(text);
  if (problem !== undefined) throw new SurfaceRefusedError('endpoint', `"${text}" ${problem}.`);
  const url = new URL(text, site.origin);
  if (DOT_SEGMENT.test(text.replace(/[?#].*$/s, ''))) {
    const meant = text.startsWith('/') ? `${url.pathname}${url.search}${url.hash}` : url.href;
    throw new SurfaceRefusedError('endpoint', `"${text}" has a step like "..", which parsers take out. Give ${meant}.`);
  }
  if (!/^(?:https?|wss?):$/.test(url.protocol)) {
    throw new SurfaceRefusedError('endpoint', `"${text}" is neither an http(s) or ws(s) URL nor a path.`);
  }
  if (!force && !site.isPrivate && isPrivateHost(url, isPublicAddress)) {
    throw new SurfaceRefusedError(
      'endpoint',
      `${url.host} is a private or internal host, which a public feed must not describe. Give the public URL, or --force if you mean it.`,
    );
  }
  return text;
}

function isAnnounced(table: SurfaceTable, endpointId: string): boolean {
  return table.find(endpointId).some(({ url }) => url !== undefined);
}

function leadsBack(table: SurfaceTable, { endpointId, replacement }: DeprecationFact): boolean {
  const seen = new Set<string>();
  for (let id = replacement; id !== null && !seen.has(id); id = table.find(id)[0]?.deprecation?.replacement ?? null) {
    if (id === endpointId) return true;
    seen.add(id);
  }
  return false;
}
