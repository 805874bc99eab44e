import { elementText } from '../html-tree.ts';
import { parseHtml } from '../parse-html.ts';

const ENTITY = /&(?:#[\da-z]{1,40}|[a-z][\da-z]{0,40});?/gi;
const MAX_KNOWN = 1000;
const known = new Map<string, string>();

/** Decodes the entities of text between tags. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? text.replace(ENTITY, decoded) : text;
}

/** The same for an attribute, where an entity without `;` may be part of an address. */
export function decodeAttribute(value: string): string {
  return value.includes('&')
    ? value.replace(ENTITY, (entity) => (entity.endsWith(';') ? decoded(entity) : entity))
    : value;
}

function decoded(entity: string): string {
  const found = known.get(entity);
  if (found !== undefined) return found;
  const character = elementText(parseHtml(entity));
  if (known.size < MAX_KNOWN) known.set(entity, character);
  return character;
}
