import { canParseUrl } from '../primitives/can-parse-url.ts';
import { shorten } from '../primitives/shorten.ts';
import { parseTime } from '../primitives/time.ts';
import { isJsonObject } from './parse-json.ts';
import { AIDOCUMENT_NAME } from './wire.ts';

/** A breach of section 4.2, and where it is. */
export interface FieldIssue {
  readonly clause: string;
  /** `source.url`, `structure.links[3].internal`. */
  readonly path: string;
  readonly message: string;
}

interface Rule {
  readonly clause: string;
  readonly demand: string;
  readonly isMet: (value: unknown) => boolean;
  readonly optional?: true;
}

/** More would hide the first ones. */
const MAX_ISSUES = 100;

const isString = (value: unknown) => typeof value === 'string';
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const oneOf =
  (...words: string[]) =>
  (value: unknown) =>
    typeof value === 'string' && words.includes(value);

const rule = (clause: string, demand: string, isMet: Rule['isMet']): Rule => ({ clause, demand, isMet });
const optional = (clause: string, demand: string, isMet: Rule['isMet']): Rule => ({
  clause,
  demand: `${demand} or be left out`,
  isMet,
  optional: true,
});
const optionalText = (clause: string) => optional(clause, 'must be a string', isString);
const count = (clause: string) => rule(clause, 'must be an integer of at least 0', isCount);

type Rules = Readonly<Record<string, Rule>>;

const GROUPS: Readonly<Record<string, Rules>> = {
  schema: {
    name: rule('AWI-SCH1', `must be "${AIDOCUMENT_NAME}"`, (value) => value === AIDOCUMENT_NAME),
    version: rule(
      'AWI-SCH2',
      'must be "2.0" or a later 2.x',
      (value) => isString(value) && /^2\.\d{1,6}$/.test(`${value}`),
    ),
    ref: optional(
      'AWI-SCH3',
      'must be a string that begins with "aidoc:"',
      (value) => isString(value) && /^aidoc:./.test(`${value}`),
    ),
  },
  source: {
    url: rule('AWI-SRC3', 'must be an absolute URL', isAbsoluteUrl),
    canonical_url: optionalText('AWI-SRC4'),
    fetched_at: optional(
      'AWI-SRC6',
      'must be an RFC 3339 time',
      (value) => typeof value === 'string' && parseTime(value) !== undefined,
    ),
    render_mode: optional(
      'AWI-SRC8',
      'must be "static", "rendered" or "static_after_render_failure"',
      oneOf('static', 'rendered', 'static_after_render_failure'),
    ),
    status_code: optional('AWI-SRC9', 'must be an integer', isCount),
    freshness_policy: rule(
      'AWI-SRC10',
      'must be "cache_first" or "force_refresh"',
      oneOf('cache_first', 'force_refresh'),
    ),
  },
  cache: {
    status: rule(
      'AWI-CA1',
      'must be "hit", "miss", "refreshed" or "stale_revalidated"',
      oneOf('hit', 'miss', 'refreshed', 'stale_revalidated'),
    ),
    origin_contacted: rule('AWI-CA2', 'must be true or false', isBoolean),
    body_fetched: rule('AWI-CA3', 'must be true or false', isBoolean),
  },
  identity: {
    title: optionalText('AWI-ID1'),
    description: optionalText('AWI-ID2'),
    language: optionalText('AWI-ID3'),
    content_type: optionalText('AWI-ID4'),
  },
  content: { markdown: rule('AWI-CT1', 'must be a string', isString) },
  structure: {
    headings: optional('AWI-ST2', 'must be an array', Array.isArray),
    links: optional('AWI-ST4', 'must be an array', Array.isArray),
    images: optional('AWI-ST7', 'must be an array', Array.isArray),
    structured_data: optional('AWI-ST8', 'must be an object', isJsonObject),
  },
  signals: {
    word_count: optional('AWI-SG1', 'must be an integer of at least 0', isCount),
    reading_time: optional('AWI-SG2', 'must be an integer of at least 0', isCount),
    has_json_ld: rule('AWI-SG3', 'must be true or false', isBoolean),
    heading_hierarchy_ok: rule('AWI-SG4', 'must be true or false', isBoolean),
  },
};

const ECONOMICS: Rules = {
  output_tokens_approx: count('AWI-EC2'),
  raw_html_tokens_approx: count('AWI-EC3'),
  token_savings: rule('AWI-EC4', 'must be an integer', Number.isSafeInteger),
  token_savings_percent: rule('AWI-EC5', 'must be a number', isNumber),
  estimated_cost_usd: rule('AWI-EC6', 'must be an object', isJsonObject),
  pricing_basis: rule('AWI-EC7', 'must be an object', isJsonObject),
};
const COSTS: Rules = Object.fromEntries(
  ['our_output', 'raw_html', 'savings'].map((key) => [key, rule('AWI-EC6', 'must be a number', isNumber)]),
);
const PRICING: Rules = {
  input_price_per_1k_usd: rule('AWI-EC7', 'must be a number', isNumber),
  model_class: rule('AWI-EC7', 'must be a string', isString),
  note: optionalText('AWI-EC7'),
};

const isLevel = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 6;
const ENTRIES: Readonly<Record<string, { readonly clause: string; readonly rules: Rules }>> = {
  headings: {
    clause: 'AWI-ST3',
    rules: {
      level: rule('AWI-ST3', 'must be an integer from 1 to 6', isLevel),
      text: rule('AWI-ST3', 'must be a string', isString),
      id: optionalText('AWI-ST3'),
    },
  },
  links: {
    clause: 'AWI-ST5',
    rules: {
      url: rule('AWI-ST5', 'must be a string', isString),
      text: optionalText('AWI-ST5'),
      internal: rule('AWI-ST5', 'must be true or false', isBoolean),
      rel: optionalText('AWI-ST5'),
    },
  },
  images: {
    clause: 'AWI-ST7',
    rules: { url: rule('AWI-ST7', 'must be a string', isString), alt: optionalText('AWI-ST7') },
  },
};

/** Every breach of form in a 2.x document. Groups and fields of later versions are allowed (AWI-DOC4). */
export function formIssues(document: Readonly<Record<string, unknown>>): FieldIssue[] {
  const issues: FieldIssue[] = [];
  for (const [name, rules] of Object.entries(GROUPS))
    checkObject(own(document, name), rules, { path: name, clause: 'AWI-DOC1' }, issues);
  checkEntries(own(document, 'structure'), issues);
  checkEconomics(own(document, 'economics'), issues);
  return issues;
}

function checkEntries(structure: unknown, issues: FieldIssue[]): void {
  for (const [name, { clause, rules }] of Object.entries(ENTRIES)) {
    const entries = isJsonObject(structure) ? own(structure, name) : undefined;
    if (!Array.isArray(entries)) continue;
    for (const [at, entry] of entries.entries()) {
      checkObject(entry, rules, { path: `structure.${name}[${at}]`, clause }, issues);
      if (issues.length >= MAX_ISSUES) return;
    }
  }
}

function checkEconomics(economics: unknown, issues: FieldIssue[]): void {
  if (economics === undefined) return;
  checkObject(economics, ECONOMICS, { path: 'economics', clause: 'AWI-EC1', missing: 'AWI-EC1' }, issues);
  if (!isJsonObject(economics)) return;
  const cost = own(economics, 'estimated_cost_usd');
  if (isJsonObject(cost)) checkObject(cost, COSTS, { path: 'economics.estimated_cost_usd', clause: 'AWI-EC6' }, issues);
  const pricing = own(economics, 'pricing_basis');
  if (isJsonObject(pricing))
    checkObject(pricing, PRICING, { path: 'economics.pricing_basis', clause: 'AWI-EC7' }, issues);
}

/** `missing` is the clause that the absence of a required field breaks, if it differs from the field's own clause. */
function checkObject(
  value: unknown,
  rules: Rules,
  { path, clause, missing }: { readonly path: string; readonly clause: string; readonly missing?: string },
  issues: FieldIssue[],
): void {
  if (!isJsonObject(value)) {
    issues.push(issueOf(clause, path, value, 'must be an object'));
    return;
  }
  for (const [key, { clause: ownClause, demand, isMet, optional: mayMiss }] of Object.entries(rules)) {
    const field = own(value, key);
    if (field === undefined) {
      if (mayMiss !== true) issues.push(issueOf(missing ?? ownClause, `${path}.${key}`, field, demand));
    } else if (!isMet(field)) {
      const broken = field === null && mayMiss === true ? 'AWI-DOC5' : ownClause;
      issues.push(issueOf(broken, `${path}.${key}`, field, demand));
    }
  }
}

function issueOf(clause: string, path: string, value: unknown, demand: string): FieldIssue {
  const seen = value === undefined ? 'is missing' : `is ${excerpt(value)}`;
  return { clause, path, message: `\`${path}\` ${seen}; it ${demand}.` };
}

/** A short form of any value, for messages. */
function excerpt(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (isJsonObject(value)) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
  return shorten(text, 80);
}

function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function isAbsoluteUrl(value: unknown): boolean {
  // `URL` would silently repair blanks, control characters, "https:x" and a missing slash.
  return typeof value === 'string' && /^https?:\/\/[^/?#\s][^\s\p{Cc}]*$/iu.test(value) && canParseUrl(value);
}
