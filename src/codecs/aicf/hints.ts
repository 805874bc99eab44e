import type { AicfHints } from './wire.ts';

const TEXTS = ['chunk_id', 'section_checksum', 'embed_ref', 'plan', 'unit', 'nonce'] as const;
/** In the order of writing. */
export const HINT_FIELDS = ['chunk_id', 'section_checksum', 'embed_ref', 'plan', 'unit', 'size', 'nonce'] as const;

/** The hints of a line. A hint of the wrong type is left out: an extension never makes an event invalid (AICF-E14). */
export function decodeHints(fields: (key: string) => unknown): AicfHints | undefined {
  const hints: { -readonly [key in keyof AicfHints]: AicfHints[key] } = {};
  for (const key of TEXTS) {
    const value = fields(key);
    if (typeof value === 'string') hints[key] = value;
  }
  const size = fields('size');
  if (typeof size === 'number' && size >= 0) hints.size = size;
  return Object.keys(hints).length === 0 ? undefined : hints;
}

/** In a fixed order, because the bytes of a line never change. */
export function orderedHints(hints: AicfHints | undefined): AicfHints {
  if (hints === undefined) return {};
  return Object.fromEntries(HINT_FIELDS.map((field) => [field, hints[field]]));
}
