import { MAX_RULE_LENGTH, MAX_RULES, readRule } from '../../extract/rules/reading-rules.ts';
import { type Decode, listOf, refused, text } from './setting-decoders.ts';

const rule: Decode<string> = (value, at) => {
  const given = text(MAX_RULE_LENGTH)(value, at);
  const read = readRule(given);
  if (!read.ok) throw refused(at, value, read.issues[0].message);
  return given;
};

const rules = listOf(rule, { most: MAX_RULES });

/** What to leave out of pages, and what to read exclusively: paths that begin with `/`, else selectors of elements. */
export const RULES_SHAPE = { ignore: rules, only: rules };
