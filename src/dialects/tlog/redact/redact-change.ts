import type { Change } from '../../../model/change.ts';
import { SALTED_FIELDS, type SaltedField } from '../../../tlog/with-salts.ts';

/** What quotes a page. The note of a change is a word of ours, which stands in lines of feeds that never change. */
const QUOTING: readonly SaltedField[] = SALTED_FIELDS.filter((field) => field !== 'note');

/** The fields of a change whose texts can be taken out. */
export function quotedFields(change: Change): readonly SaltedField[] {
  return QUOTING.filter((field) => change[field] !== undefined);
}

/** The change without those texts, and without their salts: what stays in the provable log are hashes that say nothing. */
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

/** So short a text stands in many files that never heard of the change. */
const TELLING = 8;

/** How texts of a change look in files: as they are, in JSON and in XML. The long ones: they say which file tells of it. */
export function spellings(change: Change, fields: readonly SaltedField[]): readonly string[] {
  const texts = fields.map((field) => change[field] ?? '').filter((text) => text.length >= TELLING);
  const all = texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), inXml(text)]);
  return [...new Set(all)];
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
