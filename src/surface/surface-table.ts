import type { AnnouncementFact, DeprecationFact, Fact, SchemaChangeFact } from '../codecs/agent-feed/wire.ts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import type { EndpointMigration, EndpointRecord } from './endpoint-record.ts';

/** What happened beside the state, by the names of the draft. `limit-exceeded` is ours: the fact was not applied. */
export type FactEvent = 'schema-change-of-unknown' | 'deprecation-of-unknown' | 'limit-exceeded';

/**
 * The endpoints of one origin, after the facts that it stated, in the order in which it stated them (agent-feed §4).
 *
 * Facts name an endpoint by its id alone, so one of several protocols gets what is said of its id (T-AF-12).
 */
export interface SurfaceTable {
  /** Undefined where there is nothing to tell. */
  apply(fact: Fact): FactEvent | undefined;
  /** All with this id, in the order in which they became known. */
  find(endpointId: string): readonly EndpointRecord[];
  /** By id, in the order in which the ids became known. */
  records(): readonly EndpointRecord[];
}

/** Far more than an origin has. What is beyond them is refused: nothing that was said before is given up for it. */
const MAX_ENDPOINTS = 10_000;
const MAX_MIGRATIONS = 1000;
/** Of all migrations and deprecations as JSON: a reader keeps them, and writes them down as one text. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** What is said of an id is kept for each of its protocols, so that many of both would multiply. */
const MAX_PROTOCOLS_OF_ID = 8;

/** `origin` is what a path is resolved against. */
export function createSurfaceTable(origin: URL, known: readonly EndpointRecord[] = []): SurfaceTable {
  const byId = new Map<string, Slot[]>();
  let announcements = 0;
  let endpoints = 0;
  /** Counted when it is first needed: who only asks does not wait for that. */
  let characters: number | undefined;
  for (const record of known) {
    put(slotOf(record));
    announcements = Math.max(announcements, record.announcement ?? 0);
  }
  return {
    apply,
    find: (id) => (byId.get(id) ?? []).map(recordIn),
    records: () => [...byId.values()].flat().map(recordIn),
  };

  function put(slot: Slot): void {
    endpoints += 1;
    const others = byId.get(slot.facts.endpointId);
    if (others === undefined) byId.set(slot.facts.endpointId, [slot]);
    else others.push(slot);
  }

  function apply(fact: Fact): FactEvent | undefined {
    switch (fact.type) {
      case 'endpoint-announcement':
        return announce(fact);
      case 'schema-change':
        return change(fact);
      case 'deprecation':
        return deprecate(fact);
    }
  }

  function announce({ endpointId, endpoint, protocol, version, assertedAt }: AnnouncementFact) {
    const slots = byId.get(endpointId) ?? [];
    // One that was made by a schema-change has no protocol yet: the first announcement adopts it.
    const known = slots.find((slot) => slot.facts.protocol === undefined || slot.facts.protocol === protocol);
    const hasRoom = endpoints < MAX_ENDPOINTS && slots.length < MAX_PROTOCOLS_OF_ID;
    if (known === undefined && !hasRoom) return 'limit-exceeded';
    announcements += 1;
    const facts = { protocol, url: urlOf(endpoint, origin), version, assertedAt, announcement: announcements };
    if (known === undefined) put(slotOf({ endpointId, migrations: [], ...facts }));
    else update(known, facts);
    return undefined;
  }

  function change({ endpointId, fromVersion, toVersion, effectiveAt, migration }: SchemaChangeFact) {
    const step = { from: fromVersion, to: toVersion, delta: migration, effectiveAt };
    const key = keyOf(step);
    const isUnknown = !byId.has(endpointId);
    const slots = byId.get(endpointId) ?? [slotOf({ endpointId, version: fromVersion, migrations: [] })];
    const isFull = slots.some(({ migrations }) => migrations.size >= MAX_MIGRATIONS && !migrations.has(key));
    if (isFull || (isUnknown && endpoints >= MAX_ENDPOINTS)) return 'limit-exceeded';
    if (!takeRoom(step, slots, ({ migrations }) => migrations.get(key))) return 'limit-exceeded';
    if (isUnknown) slots.forEach(put);
    for (const slot of slots) {
      // The last applied one stands last, also where it is said again.
      slot.migrations.delete(key);
      slot.migrations.set(key, step);
      update(slot, { version: toVersion });
    }
    return isUnknown ? 'schema-change-of-unknown' : undefined;
  }

  function deprecate({ endpointId, sunset, replacement, reason, announcedAt }: DeprecationFact) {
    const slots = byId.get(endpointId);
    if (slots === undefined) return 'deprecation-of-unknown';
    const deprecation = { sunset, replacement, reason, announcedAt };
    if (!takeRoom(deprecation, slots, ({ facts }) => facts.deprecation)) return 'limit-exceeded';
    for (const slot of slots) update(slot, { deprecation });
    return undefined;
  }

  /** Whether there is room for it in each slot, in the place of what stands there. */
  function takeRoom(next: object, slots: readonly Slot[], standing: (slot: Slot) => object | undefined): boolean {
    characters ??= [...byId.values()].flat().reduce((sum, slot) => sum + charactersIn(slot), 0);
    const size = charactersOf(next);
    const more = slots.reduce((sum, slot) => sum + size - charactersOf(standing(slot)), 0);
    if (more > 0 && characters + more > MAX_CHARACTERS) return false;
    characters += more;
    return true;
  }
}

/** A record in the making. It is put together when it is asked for: a copy per fact would cost the square of their number. */
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

/** Unlike `from->to` this cannot mean two migrations. */
function keyOf({ from, to }: Pick<EndpointMigration, 'from' | 'to'>): string {
  return JSON.stringify([from, to]);
}

/** An absolute URL stays as it is written. The braces of a template stay in a path, too. */
function urlOf(endpoint: string, origin: URL): string {
  if (!endpoint.startsWith('/')) return endpoint;
  if (!canParseUrl(endpoint, origin.href)) return `${origin.origin}${endpoint}`;
  const url = new URL(endpoint, origin).href;
  return endpoint.includes('{') ? url.replaceAll('%7B', '{').replaceAll('%7D', '}') : url;
}
