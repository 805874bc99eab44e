import { canonicalJson } from '../primitives/canonical-json.ts';
import type { Issue } from '../primitives/result.ts';
import { sha256 } from './cursor.ts';
import { countOf, given, isRecord, type JsonRecord, nameOf, namesOf, note, shown, textOf } from './read-object.ts';

/** An item of any server, with all that a client may count on. */
export interface DecodedItem {
  readonly source: string;
  readonly id: string;
  /** Absolute, http or https. */
  readonly url: string;
  /** As it stands there; not every server writes RFC 3339. */
  readonly published_at: string;
  readonly updated_at: string;
  readonly headline: string;
  readonly content: JsonRecord;
  readonly provenance: DecodedProvenance;
  readonly risk: DecodedRisk;
}

export interface DecodedProvenance {
  /** Opaque; made from the item where its server gives none. */
  readonly content_hash: string;
  readonly fetched_at?: string;
  readonly evidence_urls: readonly string[];
  readonly revision?: number;
}

export interface DecodedRisk {
  /** 0 to 1; 1 where the server's own cannot be read. */
  readonly score: number;
  readonly reasons: readonly string[];
}

const UNREADABLE_SCORE = 'unreadable-score';

/** Undefined for what lacks a required field (DD-I2); the issue says which. */
export function decodeItem(value: unknown, where: string, issues: Issue[]): DecodedItem | undefined {
  if (!isRecord(value)) {
    note(issues, 'DD-I2', `${where} is ${shown(value)}, not an item.`);
    return undefined;
  }
  const lacks = (field: string) => {
    note(issues, 'DD-I2', `${where} is left out: its ${field} is ${shown(value[field])}.`);
    return undefined;
  };
  const source = nameOf(value.source);
  if (source === undefined) return lacks('source');
  const id = nameOf(value.id);
  if (id === undefined) return lacks('id');
  const url = nameOf(value.url);
  if (url === undefined || !isWebUrl(url)) return lacks('url');
  const publishedAt = nameOf(value.published_at);
  if (publishedAt === undefined) return lacks('published_at');
  const updatedAt = nameOf(value.updated_at);
  if (updatedAt === undefined) return lacks('updated_at');
  if (typeof value.headline !== 'string') return lacks('headline');
  if (!isRecord(value.content)) return lacks('content');
  if (!isRecord(value.provenance)) return lacks('provenance');

  const facts = {
    source,
    id,
    url,
    published_at: publishedAt,
    updated_at: updatedAt,
    headline: value.headline.toWellFormed(),
    content: value.content,
  };
  const hash = nameOf(value.provenance.content_hash);
  if (hash === undefined) note(issues, 'DD-I3', `${where} has no provenance.content_hash.`);
  return {
    ...facts,
    provenance: {
      content_hash: hash ?? sha256(textOfFacts(facts)),
      ...given({ fetched_at: nameOf(value.provenance.fetched_at), revision: countOf(value.provenance.revision) }),
      evidence_urls: namesOf(value.provenance.evidence_urls),
    },
    risk: decodeRisk(value.risk, where, issues),
  };
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** What no one can read may be anything: it counts as the worst. */
function decodeRisk(value: unknown, where: string, issues: Issue[]): DecodedRisk {
  if (value === undefined || value === null) return { score: 0, reasons: [] };
  const { score, reasons } = isRecord(value) ? value : { score: value, reasons: undefined };
  const named = textOf(reasons) === undefined ? namesOf(reasons) : namesOf([reasons]);
  if (isRecord(value) && typeof score === 'number' && score >= 0 && score <= 1) return { score, reasons: named };
  note(issues, 'DD-I8', `${where} has a risk that is no number from 0 to 1: ${shown(score)}. It counts as 1.`);
  return { score: 1, reasons: [...named, UNREADABLE_SCORE] };
}

/** Canonical where it can be: half a surrogate pair and a number beyond all range have no canonical form. */
function textOfFacts(facts: object): string {
  try {
    return canonicalJson(facts);
  } catch {
    return JSON.stringify(facts);
  }
}
