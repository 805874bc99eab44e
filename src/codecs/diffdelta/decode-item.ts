import { canParseUrl } from '../primitives/can-parse-url.ts';
import { canonicalJson } from '../primitives/canonical-json.ts';
import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import type { Issue } from '../primitives/result.ts';
import { sha256Name } from './cursor.ts';
import { countOf, filledText, filledTexts, given, note, valueInMessage, wellFormedText } from './read-object.ts';

/** An item of any server, with all fields that a client may rely on. */
export interface DecodedItem {
  readonly source: string;
  readonly id: string;
  /** Absolute, http or https. */
  readonly url: string;
  /** As written; not every server uses RFC 3339. Empty if neither the item nor its feed has a time. */
  readonly published_at: string;
  readonly updated_at: string;
  /** Empty if its server gives none. */
  readonly headline: string;
  readonly content: JsonRecord;
  readonly provenance: DecodedProvenance;
  readonly risk: DecodedRisk;
}

/** An item of `removed`. Not every server repeats its address. */
export interface DecodedRemoval extends Omit<DecodedItem, 'url'> {
  readonly url?: string;
}

export interface DecodedProvenance {
  /** Opaque; derived from the item if its server gives none. */
  readonly content_hash: string;
  readonly fetched_at?: string;
  readonly evidence_urls: readonly string[];
  readonly revision?: number;
  /** The hubs that the item came through, if its server is one of ours. */
  readonly via?: string;
  readonly note?: string;
}

export interface DecodedRisk {
  /** 0 to 1; 1 if the server's value cannot be read. */
  readonly score: number;
  readonly reasons: readonly string[];
}

/** Values that the feed provides for items that lack them. */
export interface ItemSurroundings {
  /** The source of all its items. */
  readonly source: string | undefined;
  readonly generatedAt: string | undefined;
  /** The base of relative addresses. */
  readonly base: URL | undefined;
  /** The cursor, if the bucket says that its items changed: then an item without hash and time is different in every run. */
  readonly run?: string | undefined;
  /** Items that are left out. */
  readonly issues: Issue[];
  /** Items that are read although they break DD-I2. */
  readonly repairs: Issue[];
}

const UNREADABLE_SCORE = 'unreadable-score';

/** An address that is not relative. */
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** Undefined for an item without identity or address; all other fields of DD-I2 may be missing. The issues say which are. */
export function decodeItem(value: unknown, where: string, around: ItemSurroundings): DecodedItem | undefined {
  if (!isRecord(value)) {
    note(around.issues, 'DD-I2', `${where} is ${valueInMessage(value)}, not an item.`);
    return undefined;
  }
  const removal = decodeFields(value, where, around);
  if (removal === undefined) return undefined;
  const { url, ...rest } = removal;
  if (url === undefined) return leaveOut('url', value, { where, around });
  const item = { ...rest, url };
  reportRepairs(value, item, { where, around });
  return item;
}

/** Like {@link decodeItem}, but the item needs no address, and may be only an id. */
export function decodeRemoval(value: unknown, where: string, around: ItemSurroundings): DecodedRemoval | undefined {
  const fields = isRecord(value) ? value : { id: value };
  const removal = decodeFields(fields, where, around);
  if (removal !== undefined) reportRepairs(fields, removal, { where, around });
  return removal;
}

function decodeFields(value: JsonRecord, where: string, around: ItemSurroundings): DecodedRemoval | undefined {
  const source = filledText(value.source) ?? around.source;
  if (source === undefined) return leaveOut('source', value, { where, around });
  const id = filledText(typeof value.id === 'number' ? String(value.id) : value.id);
  if (id === undefined) return leaveOut('id', value, { where, around });

  const url = placeOf(value.url, id, around.base);
  const publishedAt = filledText(value.published_at);
  const updatedAt = filledText(value.updated_at);
  const headline = typeof value.headline === 'string' ? value.headline.toWellFormed() : '';
  const content = contentOf(value.content);
  const provenance = isRecord(value.provenance) ? value.provenance : undefined;
  const own = given({ published_at: publishedAt, updated_at: updatedAt, url });
  const facts = { source, id, headline, content, ...own };
  const { run } = around;
  const hash = filledText(provenance?.content_hash);
  if (hash === undefined && provenance !== undefined) {
    note(around.issues, 'DD-I3', `${where} has no provenance.content_hash.`);
  }
  return {
    ...facts,
    published_at: publishedAt ?? updatedAt ?? around.generatedAt ?? '',
    updated_at: updatedAt ?? publishedAt ?? around.generatedAt ?? '',
    provenance: {
      content_hash: hash ?? sha256Name(textOfFacts(updatedAt === undefined ? { ...facts, ...given({ run }) } : facts)),
      ...given({
        fetched_at: filledText(provenance?.fetched_at),
        revision: countOf(provenance?.revision),
        via: filledText(provenance?.via),
        note: filledText(provenance?.note),
      }),
      evidence_urls: filledTexts(provenance?.evidence_urls),
    },
    risk: decodeRisk(value.risk, where, around.issues),
  };
}

interface Place {
  readonly where: string;
  readonly around: ItemSurroundings;
}

function leaveOut(field: string, value: JsonRecord, { where, around }: Place): undefined {
  note(around.issues, 'DD-I2', `${where} is left out: its ${field} is ${valueInMessage(value[field])}.`);
}

const REQUIRED = ['source', 'id', 'url', 'published_at', 'updated_at', 'headline', 'content', 'provenance'] as const;

/** Once for each item, however many fields it lacks. */
function reportRepairs(value: JsonRecord, read: DecodedRemoval, { where, around }: Place): void {
  const lacking = REQUIRED.filter((field) => {
    if (field === 'headline') return typeof value.headline !== 'string';
    if (field === 'provenance') return !isRecord(value.provenance);
    return read[field] === undefined || read[field] !== value[field];
  });
  if (lacking.length === 0) return;
  const what = lacking.map((field) => `its ${field} is ${valueInMessage(value[field])}`).join(', ');
  note(around.repairs, 'DD-I2', `${where} is read all the same: ${what}.`);
}

/** An item has no address if neither its URL nor its id is a web address, absolute or relative to the feed. */
function placeOf(named: unknown, id: string, base: URL | undefined): string | undefined {
  const text = filledText(named)?.trim() ?? '';
  if (text === '') return isWebUrl(id) ? id : undefined;
  if (isWebUrl(text)) return text;
  if (base === undefined || SCHEME.test(text) || !canParseUrl(text, base.href)) return undefined;
  const url = new URL(text, base);
  // The feed itself is not the page of an item.
  const isFeed = url.origin === base.origin && url.pathname === base.pathname && url.search === base.search;
  return isFeed || !isWebUrl(url.href) ? undefined : url.href;
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && canParseUrl(text);
}

function contentOf(value: unknown): JsonRecord {
  if (isRecord(value)) return value;
  return typeof value === 'string' && value !== '' ? { excerpt_text: value.toWellFormed() } : {};
}

/** An unreadable value could be anything, so it counts as the worst. */
function decodeRisk(value: unknown, where: string, issues: Issue[]): DecodedRisk {
  if (value === undefined || value === null) return { score: 0, reasons: [] };
  const { score, reasons } = isRecord(value) ? value : { score: value, reasons: undefined };
  const named = wellFormedText(reasons) === undefined ? filledTexts(reasons) : filledTexts([reasons]);
  if (isRecord(value) && typeof score === 'number' && score >= 0 && score <= 1) return { score, reasons: named };
  note(issues, 'DD-I8', `${where} has a risk that is no number from 0 to 1: ${valueInMessage(score)}. It counts as 1.`);
  return { score: 1, reasons: [...named, UNREADABLE_SCORE] };
}

/** Canonical if possible: a lone surrogate and a number out of range have no canonical form. */
function textOfFacts(facts: object): string {
  try {
    return canonicalJson(facts);
  } catch {
    return JSON.stringify(facts);
  }
}
