import type { AnnouncementFact, DeprecationFact, Fact, SchemaChangeFact } from '../codecs/agent-feed/wire.ts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import type { EndpointMigration, EndpointRecord } from './endpoint-record.ts';

/** What happened besides the state change, by the names of the draft. `limit-exceeded` is ours: the fact was not applied. */
export type FactEvent = 'schema-change-of-unknown' | 'deprecation-of-unknown' | 'limit-exceeded';

/**
 * The endpoints of one origin after its facts, applied in the order in which it stated them (agent-feed §4).
 *
 * Facts name an endpoint only by its id, so each of several protocols gets what is said about its id (T-AF-12).
 */
export interface SurfaceTable {
  /** Undefined if there is nothing to report. */
  apply(fact: Fact): FactEvent | undefined;
  /** All records with this id, in order of discovery. */
  find(endpointId: string): readonly EndpointRecord[];
  /** By id, in the order of discovery of the ids. */
  records(): readonly EndpointRecord[];
}

/** Far more than an origin has. Facts beyond it are refused: no earlier one is dropped for them. */
const MAX_ENDPOINTS = 10_000;
const MAX_MIGRATIONS = 1000;
/** Of all migrations and deprecations as JSON: a reader stores them as one text. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Facts about an id are stored for each of its protocols, so many of both would multiply. */
const MAX_PROTOCOLS_OF_ID = 8;

/** Paths are resolved against `origin`. */
export function createSurfaceTable(origin: URL, known: readonly EndpointRecord[] = []): SurfaceTable {
  return new OriginTable(origin, known);
}

class OriginTable implements SurfaceTable {
  readonly #origin: URL;
  readonly #byId = new Map<string, Slot[]>();
  #announcements = 0;
  #endpoints = 0;
  /** Counted on first use, so that callers that only read do not wait for it. */
  #characters: number | undefined;

  constructor(origin: URL, known: readonly EndpointRecord[]) {
    this.#origin = origin;
    for (const record of known) {
      this.#put(slotOf(record));
      this.#announcements = Math.max(this.#announcements, record.announcement ?? 0);
    }
  }

  find(endpointId: string): readonly EndpointRecord[] {
    return (this.#byId.get(endpointId) ?? []).map(recordIn);
  }

  records(): readonly EndpointRecord[] {
    return [...this.#byId.values()].flat().map(recordIn);
  }

  #put(slot: Slot): void {
    this.#endpoints += 1;
    const others = this.#byId.get(slot.facts.endpointId);
    if (others === undefined) this.#byId.set(slot.facts.endpointId, [slot]);
    else others.push(slot);
  }

  apply(fact: Fact): FactEvent | undefined {
    switch (fact.type) {
      case 'endpoint-announcement':
        return this.#announce(fact);
      case 'schema-change':
        return this.#change(fact);
      case 'deprecation':
        return this.#deprecate(fact);
    }
  }

  #announce({ endpointId, endpoint, protocol, version, assertedAt }: AnnouncementFact): FactEvent | undefined {
    const slots = this.#byId.get(endpointId) ?? [];
    // A record made by a schema-change has no protocol yet: the first announcement adopts it.
    const known = slots.find((slot) => slot.facts.protocol === undefined || slot.facts.protocol === protocol);
    const hasRoom = this.#endpoints < MAX_ENDPOINTS && slots.length < MAX_PROTOCOLS_OF_ID;
    if (known === undefined && !hasRoom) return 'limit-exceeded';
    this.#announcements += 1;
    const facts = {
      protocol,
      url: urlOf(endpoint, this.#origin),
      version,
      assertedAt,
      announcement: this.#announcements,
    };
    if (known === undefined) this.#put(slotOf({ endpointId, migrations: [], ...facts }));
    else update(known, facts);
    return undefined;
  }

  #change({ endpointId, fromVersion, toVersion, effectiveAt, migration }: SchemaChangeFact): FactEvent | undefined {
    const step = { from: fromVersion, to: toVersion, delta: migration, effectiveAt };
    const key = keyOf(step);
    const isUnknown = !this.#byId.has(endpointId);
    const slots = this.#byId.get(endpointId) ?? [slotOf({ endpointId, version: fromVersion, migrations: [] })];
    const isFull = slots.some(({ migrations }) => migrations.size >= MAX_MIGRATIONS && !migrations.has(key));
    if (isFull || (isUnknown && this.#endpoints >= MAX_ENDPOINTS)) return 'limit-exceeded';
    if (!this.#takeRoom(step, slots, ({ migrations }) => migrations.get(key))) return 'limit-exceeded';
    if (isUnknown) for (const slot of slots) this.#put(slot);
    for (const slot of slots) {
      // The last applied one comes last, even if it is repeated.
      slot.migrations.delete(key);
      slot.migrations.set(key, step);
      update(slot, { version: toVersion });
    }
    return isUnknown ? 'schema-change-of-unknown' : undefined;
  }

  #deprecate({ endpointId, sunset, replacement, reason, announcedAt }: DeprecationFact): FactEvent | undefined {
    const slots = this.#byId.get(endpointId);
    if (slots === undefined) return 'deprecation-of-unknown';
    const deprecation = { sunset, replacement, reason, announcedAt };
    if (!this.#takeRoom(deprecation, slots, ({ facts }) => facts.deprecation)) return 'limit-exceeded';
    for (const slot of slots) update(slot, { deprecation });
    return undefined;
  }

  /** Whether each slot has room for it, instead of its current value. */
  #takeRoom(next: object, slots: readonly Slot[], standing: (slot: Slot) => object | undefined): boolean {
    this.#characters ??= [...this.#byId.values()].flat().reduce((sum, slot) => sum + charactersIn(slot), 0);
    const size = charactersOf(next);
    const more = slots.reduce((sum, slot) => sum + size - charactersOf(standing(slot)), 0);
    if (more > 0 && this.#characters + more > MAX_CHARACTERS) return false;
    this.#characters += more;
    return true;
  }
}

/** A record under construction. It is assembled on request: a copy per fact would have quadratic cost. */
interface Slot {
  readonly facts: Omit<EndpointRecord, 'migrations'>;
  readonly migrations: Map<string, EndpointMigration>;
  record: EndpointRecord | undefined;
}

function slotOf({ migrations, ...facts }: EndpointRecord): Slot {
  return { facts, migrations: new Map(migrations.map((step) => [keyOf(step), step])), record: undefined };
}

function update(slot: Slot, facts: Partial<EndpointRecord>): void {
  Object.assign(slot.facts, facts);
  slot.record = undefined;
}

function recordIn(slot: Slot): EndpointRecord {
  slot.record ??= { ...slot.facts, migrations: [...slot.migrations.values()] };
  return slot.record;
}

function charactersIn({ facts, migrations }: Slot): number {
  return [...migrations.values()].reduce((sum, step) => sum + charactersOf(step), charactersOf(facts.deprecation));
}

function charactersOf(part: object | undefined): number {
  return part === undefined ? 0 : JSON.stringify(part).length;
}

/** Unlike `from->to`, this is unambiguous. */
function keyOf({ from, to }: Pick<EndpointMigration, 'from' | 'to'>): string {
  return JSON.stringify([from, to]);
}

/** An absolute URL stays as written. The braces of a template stay in a path, too. */
function urlOf(endpoint: string, origin: URL): string {
  if (!endpoint.startsWith('/')) return endpoint;
  if (!canParseUrl(endpoint, origin.href)) return `${origin.origin}${endpoint}`;
  const url = new URL(endpoint, origin).href;
  return endpoint.includes('{') ? url.replaceAll('%7B', '{').replaceAll('%7D', '}') : url;
}
