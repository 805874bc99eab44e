import type { ChangeDraft } from '../model/change.ts';

/** The texts of a change of which the provable log has only a salted hash, so that they can be erased. In the order of entries. */
export const SALTED_FIELDS = ['before', 'excerpt', 'heading', 'note', 'summary', 'title'] as const;

export type SaltedField = (typeof SALTED_FIELDS)[number];

/** The change with a salt for each of its texts. */
export function withSalts<T extends ChangeDraft>(draft: T, salt: () => string): T {
  const salted = SALTED_FIELDS.filter((field) => draft[field] !== undefined);
  return salted.length === 0 ? draft : { ...draft, salts: Object.fromEntries(salted.map((field) => [field, salt()])) };
}
