import type { Change } from '../../../model/change.ts';
import { SALTED_FIELDS, type SaltedField } from '../../../tlog/with-salts.ts';

/** The fields that quote a page. The note of a change is our own text, in lines of feeds that never change. */
const QUOTING: readonly SaltedField[] = SALTED_FIELDS.filter((field) => field !== 'note');

/** The fields of a change whose texts can be redacted. */
export function quotedFields(change: Change): readonly SaltedField[] {
  return QUOTING.filter((field) => change[field] !== undefined);
}

/** The change without those texts and their salts. The hashes that stay in the provable log reveal nothing. */
export function withoutSaltedTexts(change: Change, fields: readonly string[]): Change {
  const { salts = {}, ...rest } = change;
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !fields.includes(name)));
  const keptSalts = Object.fromEntries(Object.entries(salts).filter(([name]) => !fields.includes(name)));
  const { provenance, ...others } = kept;
  return {
    ...others,
    ...(Object.keys(keptSalts).length > 0 && { salts: keptSalts }),
    provenance,
  } as Change;
}

/** Shorter texts occur in many unrelated files. */
const TELLING = 8;

/** How the longer texts of a change appear in files: plain, in JSON and in XML. They show which file quotes the change. */
export function spellings(change: Change, fields: readonly SaltedField[]): readonly string[] {
  const texts = fields.map((field) => change[field] ?? '').filter((text) => text.length >= TELLING);
  const all = texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), inXml(text)]);
  return [...new Set(all)];
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
