import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { findJsonFlaw } from '../../../codecs/primitives/json-flaw.ts';
import { type AnsweredDocument, documentText, looksLikeHtml } from '../../../codecs/primitives/seen-document.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import type { EndpointRecord } from '../../../surface/endpoint-record.ts';
import type { SurfaceTable } from '../../../surface/surface-table.ts';
import { type SurfaceContext, shownValue } from './seen-surface.ts';

const MAX_DEPTH = 200;

/** Checks that the snapshot is JSON and names what the feed announces (§21). `table` is undefined if the feed says nothing. */
export function checkCard(document: AnsweredDocument, table: SurfaceTable | undefined, context: SurfaceContext): void {
  const { ledger, nowMs, origin } = context;
  const { where } = document;
  const card = readCard(document);
  if ('problem' in card) {
    ledger.note({ clause: 'AF-W1', where, seen: card.problem, remedy: 'Serve a JSON document there.' });
    return;
  }
  if (table === undefined) return;
  ledger.looked('AF-SN2');
  const texts = textsIn(card.value);
  const addresses = new Set([...texts].flatMap((text) => addressOf(text, origin) ?? []));
  for (const record of table.records()) {
    const { url, endpointId } = record;
    if (url === undefined || isOver(record, nowMs)) continue;
    if (texts.has(url) || addresses.has(addressOf(url, origin) ?? url)) continue;
    const seen = `It does not have the URL ${shownValue(url)}, which the feed announces as ${shownValue(endpointId)}.`;
    const remedy = 'Write the card anew whenever the feed changes: the feed counts.';
    ledger.note({ clause: 'AF-SN2', where, seen, remedy });
  }
}

function readCard(document: AnsweredDocument): { readonly value: unknown } | { readonly problem: string } {
  const { text, isUtf8 } = documentText(document);
  if (!isUtf8) return { problem: 'It is not UTF-8.' };
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (looksLikeHtml(json)) return { problem: 'It is HTML or XML, not JSON.' };
  if (findJsonFlaw(json, MAX_DEPTH)?.is === 'deep') return { problem: `It is nested deeper than ${MAX_DEPTH}.` };
  try {
    return { value: JSON.parse(json) };
  } catch {
    return { problem: 'It is no JSON.' };
  }
}

function isOver({ deprecation }: EndpointRecord, nowMs: number): boolean {
  return deprecation !== undefined && (parseTime(deprecation.sunset) ?? Number.POSITIVE_INFINITY) <= nowMs;
}

/** Every text that could be an address: values, and keys such as the paths of OpenAPI. */
function textsIn(card: unknown): Set<string> {
  const texts = new Set<string>();
  const open = [card];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') texts.add(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (key.startsWith('/')) texts.add(key);
      open.push(member);
    }
  }
  return texts;
}

function addressOf(text: string, origin: URL | undefined): string | undefined {
  if (!/^(?:\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(text) || text.length > 10_000) return undefined;
  return canParseUrl(text, origin?.href) ? new URL(text, origin).href : undefined;
}
