import { canonicalJson } from '../primitives/canonical-json.ts';
import type { Finding } from '../primitives/finding.ts';
import { isJsonObject } from './parse-json.ts';

interface LocatedDocument {
  readonly where: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Two documents with the same statements about one page must have the same ref; how it is made is up to the implementation. */
export function checkRefs(documents: readonly LocatedDocument[]): Finding[] {
  const known = new Map<string, { readonly where: string; readonly ref: unknown }>();
  const found: Finding[] = [];
  for (const { where, document } of documents) {
    const ref = isJsonObject(document.schema) ? document.schema.ref : undefined;
    if (typeof ref !== 'string') continue;
    const content = contentOf(document);
    const other = known.get(content);
    if (other === undefined) known.set(content, { where, ref });
    else if (other.ref !== ref) {
      found.push({
        clause: 'AWI-SCH6',
        level: 'MUST',
        where: `${where}: schema.ref`,
        seen: `It differs from that of ${other.where}, which says the same.`,
        remedy: 'Take the ref over the fields that section 4.2 lists, and over nothing else.',
      });
    }
  }
  return found;
}

/** The eleven fields that a ref covers. */
function contentOf({ source, identity, content, structure }: LocatedDocument['document']): string {
  const { url, canonical_url } = isJsonObject(source) ? source : {};
  return canonicalJson([url ?? null, canonical_url ?? null, identity ?? null, content ?? null, structure ?? null]);
}
