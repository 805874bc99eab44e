import { hash } from 'node:crypto';
import { canonicalJson } from '../primitives/canonical-json.ts';
import type { DocumentHeading, JsonObject } from './wire.ts';

/** The input of a ref: the eleven fields of section 4.2, normalised for comparison. */
export interface RefFields {
  readonly url: string;
  readonly canonical_url?: string;
  readonly title?: string;
  readonly description?: string;
  readonly language?: string;
  readonly content_type?: string;
  readonly markdown: string;
  readonly headings?: readonly DocumentHeading[];
  readonly links?: readonly string[];
  readonly images?: readonly string[];
  readonly structured_data?: JsonObject;
}

const REF_HEX_DIGITS = 32;

/** `aidoc:sha256:` and 128 bits of the SHA-256 of the fields as canonical JSON (AWI-SCH4). */
export function hashFields(fields: RefFields): string {
  return `aidoc:sha256:${hash('sha256', canonicalJson(fields), 'hex').slice(0, REF_HEX_DIGITS)}`;
}
