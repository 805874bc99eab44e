import type { DecodedEntry, Fact } from '../../../codecs/agent-feed/wire.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { createSurfaceTable, type SurfaceTable } from '../../../surface/surface-table.ts';
import { type SurfaceContext, shownValue } from './seen-surface.ts';

/**
 * Checks the entries as a whole: no id occurs twice, each endpoint is announced before it is used, the oldest entry comes first.
 */
export interface History {
  /** Call it in document order. `fact` is set if the payload can be read. */
  add(entry: DecodedEntry, where: string, fact: Fact | undefined): void;
  /** Returns what a new reader knows after the last entry. */
  close(): SurfaceTable;
}

interface Earlier {
  readonly where: string;
  readonly content: string | undefined;
}

interface Waiting {
  readonly clause: 'AF-PS2' | 'AF-PD1';
  readonly endpointId: string;
  readonly where: string;
}

export function openHistory(feedWhere: string, context: SurfaceContext): History {
  return new EntryHistory(feedWhere, context);
}

class EntryHistory implements History {
  readonly #feedWhere: string;
  readonly #ledger: SurfaceContext['ledger'];
  readonly #table: SurfaceTable;
  readonly #ids = new Map<string, Earlier>();
  readonly #signed = new Map<string, string>();
  readonly #protocols = new Map<string, string>();
  readonly #waiting: Waiting[] = [];
  readonly #replacements: { readonly id: string; readonly where: string }[] = [];
  readonly #times: number[] = [];
  readonly #writtenAt: number[] = [];

  constructor(feedWhere: string, { ledger, origin }: SurfaceContext) {
    this.#feedWhere = feedWhere;
    this.#ledger = ledger;
    this.#table = createSurfaceTable(origin ?? new URL('https://origin.invalid'));
  }

  add(entry: DecodedEntry, where: string, fact: Fact | undefined): void {
    this.#checkId(entry, where);
    const updatedMs = parseTime(entry.updated ?? '');
    if (updatedMs !== undefined) this.#times.push(updatedMs);
    const [, millis] = /^urn:af:[^:]+:(\d{13})$/i.exec(entry.id ?? '') ?? [];
    if (millis !== undefined) this.#writtenAt.push(Number(millis));
    if (fact === undefined) return;
    if (fact.type === 'endpoint-announcement') this.#checkProtocol(fact.endpointId, fact.protocol, where);
    else {
      const clause = fact.type === 'schema-change' ? 'AF-PS2' : 'AF-PD1';
      this.#ledger.looked(clause);
      if (!this.#protocols.has(fact.endpointId)) this.#waiting.push({ clause, endpointId: fact.endpointId, where });
      if (fact.type === 'deprecation' && fact.replacement !== null)
        this.#replacements.push({ id: fact.replacement, where });
    }
    this.#table.apply(fact);
  }

  close(): SurfaceTable {
    for (const each of this.#waiting) this.#noteUnannounced(each);
    for (const { id, where } of this.#replacements) this.#noteReplacement(id, where);
    this.#checkOrder();
    this.#ledger.skipped('Within the document it holds; beyond that it takes two readings to see.', 'AF-ST5', 'AF-EN3');
    return this.#table;
  }

  #checkId({ id, content, signature }: DecodedEntry, where: string): void {
    if (!id) return;
    const earlier = this.#ids.get(id);
    if (earlier === undefined) this.#ids.set(id, { where, content });
    else if (earlier.content === content) {
      const seen = `Its id ${shownValue(id)} is also that of ${placeOf(earlier.where)}.`;
      this.#ledger.note({ clause: 'AF-EN2', where, seen, remedy: 'Serve each entry once.' });
      return;
    } else {
      const seen = `Its id ${shownValue(id)} is that of ${placeOf(earlier.where)}, which says something else.`;
      const remedy = 'Give each fact an id of its own: readers drop the second.';
      this.#ledger.note({ clause: 'AF-ST5', where, seen, remedy });
      return;
    }
    if (content === undefined || signature === undefined) return;
    const pair = JSON.stringify([content, signature.replace(/\s+/g, '')]);
    const twin = this.#signed.get(pair);
    if (twin === undefined) this.#signed.set(pair, where);
    else {
      const seen = `Its payload and signature are those of ${placeOf(twin)}, under another id.`;
      const remedy = 'Keep the id of a fact. To say it again, sign it anew, with the time of now.';
      this.#ledger.note({ clause: 'AF-EN3', where, seen, remedy });
    }
  }

  #checkProtocol(endpointId: string, protocol: string, where: string): void {
    const known = this.#protocols.get(endpointId);
    if (known === undefined) this.#protocols.set(endpointId, protocol);
    else if (known !== protocol) {
      const seen = `The endpoint-id ${shownValue(endpointId)} is announced for ${shownValue(known)} and for ${shownValue(protocol)}.`;
      const remedy = 'Give each protocol an id of its own: changes and deprecations name an endpoint by its id alone.';
      this.#ledger.note({ clause: 'AF-PA1', where, seen, remedy });
    }
  }

  #noteUnannounced({ clause, endpointId, where }: Waiting): void {
    const isLater = this.#protocols.has(endpointId);
    const what = clause === 'AF-PS2' ? 'changes' : 'deprecates';
    const seen = `It ${what} ${shownValue(endpointId)}, which ${isLater ? 'is announced only after it' : 'is announced nowhere in the feed'}.`;
    const remedy = isLater
      ? 'Write the oldest entry first: readers apply them in the order of the document.'
      : 'Announce the endpoint first, and keep that entry in the feed.';
    this.#ledger.note({ clause, where, seen, remedy });
  }

  #noteReplacement(id: string, where: string): void {
    if (this.#protocols.has(id)) return;
    const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(id);
    const seen = `It names ${shownValue(id)} as replacement, which is ${isUrl ? 'a URL and no endpoint-id' : 'announced nowhere in the feed'}.`;
    const remedy = 'Name the endpoint-id of the successor, and announce that: until then there is no URL for it.';
    this.#ledger.note({ clause: 'AF-PD4', level: isUrl ? 'SHOULD' : 'MAY', where, seen, remedy });
  }

  /**
   * A single time may go back, for example in an entry that was published late. If all times go back, the feed has its newest entry
   * first.
   */
  #checkOrder(): void {
    const first = this.#times[0];
    const last = this.#times.at(-1);
    if (first === undefined || last === undefined || first <= last) return;
    if (this.#times.some((time, at) => at > 0 && time > (this.#times[at - 1] ?? 0))) return;
    // An entry that was written later may describe an earlier time: then the order is correct.
    if ((this.#writtenAt[0] ?? 0) < (this.#writtenAt.at(-1) ?? 0)) return;
    const seen = 'Its entries go from the newest to the oldest, as most Atom feeds do.';
    const remedy =
      'Write the oldest first: readers apply entries in the order of the document, and so end with the oldest.';
    const level = this.#times.length > 2 ? 'SHOULD' : 'MAY';
    this.#ledger.note({ clause: 'AF-I7', level, where: this.#feedWhere, seen, remedy });
  }
}

/** `the entry in line 12`, or `where` itself if it has no line number. */
function placeOf(where: string): string {
  const [, line] = /:(\d+)$/.exec(where) ?? [];
  return line === undefined ? where : `the entry in line ${line}`;
}
