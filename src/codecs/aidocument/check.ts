import { canParseUrl } from '../primitives/can-parse-url.ts';
import type { ClauseLevel, Finding } from '../primitives/finding.ts';
import { isLanguageTag } from './language-tag.ts';
import { isVersion1, migrateToVersion2 } from './migrate.ts';
import { isJsonObject } from './parse-json.ts';
import { isHierarchyOk } from './signals.ts';
import { formIssues } from './validate.ts';
import type { AIDocument, EconomicsInfo } from './wire.ts';

/** More findings of one kind would hide the others. */
const MAX_LINK_FINDINGS = 20;

/**
 * Finds what is wrong with a document: first its form and then, if the form is valid, contradictions between its fields.
 * The list is empty for a good document. `where` is the path of the field.
 *
 * @example
 * for (const { clause, where, seen } of checkAIDocument(JSON.parse(text))) console.log(`${clause} ${where}: ${seen}`);
 */
export function checkAIDocument(value: unknown): Finding[] {
  if (!isJsonObject(value)) {
    return [finding('AWI-DOC1', 'MUST', 'document', 'It is not a JSON object.', 'Return one JSON object per page.')];
  }
  const flat = isVersion1(value);
  const document = flat ? migrateToVersion2(value) : value;
  const version = flat
    ? [
        finding(
          'AWI-MG4',
          'SHOULD',
          'document',
          'It is a 1.0 document.',
          'Return AIDocument 2.0; section 4.4 has the map.',
        ),
      ]
    : [];
  const form = formIssues(document).map(({ clause, path, message }) =>
    finding(clause, 'MUST', path, message, `See ${clause} in section 4 of AIWebIndex 2.0.`),
  );
  const dropped = flat ? [] : checkDropped(document);
  if (form.length > 0) return [...version, ...form, ...dropped];
  return [...version, ...dropped, ...checkSense(document as unknown as AIDocument)];
}

/** The fields of `crawl` in 1.0 that 2.0 does not have. */
const DROPPED = ['fetch_duration_ms', 'content_length', 'user_agent'];

function checkDropped(document: Readonly<Record<string, unknown>>): Finding[] {
  const places = [['', document] as const, ...Object.entries(document)];
  return places.flatMap(([group, fields]) =>
    DROPPED.filter((key) => isJsonObject(fields) && Object.hasOwn(fields, key)).map((key) => {
      const where = group === '' ? key : `${group}.${key}`;
      return finding('AWI-MG2', 'MUST', where, 'It is a field of 1.0 that 2.0 drops.', 'Leave it out.');
    }),
  );
}

function checkSense(document: AIDocument): Finding[] {
  return [
    ...checkEmptyTexts(document),
    ...checkCallers(document),
    ...checkCache(document),
    ...checkIdentity(document),
    ...checkLinks(document),
    ...checkSignals(document),
    ...(document.economics === undefined ? [] : checkEconomics(document.economics)),
  ];
}

function checkEmptyTexts({ schema, source, identity }: AIDocument): Finding[] {
  return Object.entries({ schema, source, identity }).flatMap(([group, fields]) =>
    Object.entries(fields)
      .filter(([, value]) => value === '')
      .map(([key]) =>
        finding('AWI-DOC5', 'MUST', `${group}.${key}`, 'It is empty.', 'Leave out a field without a value.'),
      ),
  );
}

function checkCallers({ source }: AIDocument): Finding[] {
  const { username, password } = new URL(source.url);
  if (username === '' && password === '') return [];
  const seen = 'It carries a name or a password, which says who asked.';
  return [finding('AWI-PR2', 'MUST', 'source.url', seen, 'Write the URL without it.')];
}

const OUTCOMES = {
  hit: { clause: 'AWI-CA4', contacted: false, fetched: false, policy: undefined },
  miss: { clause: 'AWI-CA5', contacted: true, fetched: true, policy: 'cache_first' },
  refreshed: { clause: 'AWI-CA6', contacted: true, fetched: true, policy: 'force_refresh' },
  stale_revalidated: { clause: 'AWI-CA7', contacted: true, fetched: false, policy: undefined },
} as const;

function checkCache({ cache, source }: AIDocument): Finding[] {
  const { clause, contacted, fetched, policy } = OUTCOMES[cache.status];
  const found: Finding[] = [];
  if (cache.origin_contacted !== contacted || cache.body_fetched !== fetched) {
    const seen = `"${cache.status}" stands beside origin_contacted ${cache.origin_contacted} and body_fetched ${cache.body_fetched}.`;
    found.push(finding(clause, 'MUST', 'cache', seen, `"${cache.status}" means ${contacted} and ${fetched}.`));
  }
  if (policy !== undefined && source.freshness_policy !== policy) {
    const seen = `"${cache.status}" stands beside the policy "${source.freshness_policy}".`;
    found.push(finding(clause, 'MUST', 'cache.status', seen, `"${cache.status}" belongs to "${policy}".`));
  }
  return found;
}

function checkIdentity({ identity: { language, content_type } }: AIDocument): Finding[] {
  const found: Finding[] = [];
  if (language !== undefined && language !== '' && !isLanguageTag(language)) {
    found.push(
      finding(
        'AWI-ID3',
        'MUST',
        'identity.language',
        `"${language.slice(0, 40)}" is no BCP 47 tag.`,
        'Write it like "en-US".',
      ),
    );
  }
  if (content_type?.includes('/') === true) {
    const seen = `"${content_type.slice(0, 40)}" looks like a media type.`;
    found.push(
      finding('AWI-ID4', 'SHOULD', 'identity.content_type', seen, 'Name the kind of page, such as "article".'),
    );
  }
  return found;
}

function checkLinks({ source, structure: { links = [] } }: AIDocument): Finding[] {
  const found: Finding[] = [];
  const host = new URL(source.url).hostname;
  for (const [at, { url, internal }] of links.entries()) {
    if (found.length === MAX_LINK_FINDINGS) break;
    if (!canParseUrl(url)) {
      const seen = `"${url.slice(0, 80)}" is not absolute, so no consumer can tell where it leads.`;
      found.push(finding('AWI-ST5', 'SHOULD', `structure.links[${at}].url`, seen, 'Resolve it against the page.'));
      continue;
    }
    if ((new URL(url).hostname === host) === internal) continue;
    const seen = `${url.slice(0, 80)} is called ${internal ? 'internal' : 'external'} to ${host}.`;
    found.push(finding('AWI-ST6', 'MUST', `structure.links[${at}].internal`, seen, 'Compare the two hosts.'));
  }
  return found;
}

function checkSignals({ signals, structure: { headings = [], structured_data } }: AIDocument): Finding[] {
  const found: Finding[] = [];
  for (const [key, clause] of [
    ['word_count', 'AWI-SG1'],
    ['reading_time', 'AWI-SG2'],
  ] as const) {
    if (signals[key] === undefined) {
      found.push(finding(clause, 'SHOULD', `signals.${key}`, 'It is missing.', 'Give it: it is recommended.'));
    }
  }
  if (structured_data !== undefined && !signals.has_json_ld) {
    found.push(finding('AWI-SG3', 'MUST', 'signals.has_json_ld', 'It is false beside structured data.', 'Say true.'));
  }
  const ok = isHierarchyOk(headings.map(({ level }) => level));
  if (signals.heading_hierarchy_ok !== ok) {
    const seen = `It is ${signals.heading_hierarchy_ok}; the headings make it ${ok}.`;
    found.push(finding('AWI-SG4', 'MUST', 'signals.heading_hierarchy_ok', seen, 'Derive it from structure.headings.'));
  }
  return found;
}

/** Percentages may be rounded to whole numbers, and costs in proportion to their size. */
const PERCENT_TOLERANCE = 0.5;
const COST_TOLERANCE = 0.01;

function checkEconomics(economics: EconomicsInfo): Finding[] {
  const { output_tokens_approx: output, raw_html_tokens_approx: raw, token_savings: savings } = economics;
  const { estimated_cost_usd: cost, pricing_basis: basis, token_savings_percent: percent } = economics;
  const found: Finding[] = [];
  const difference = raw - output;
  if (savings !== difference) {
    found.push(finding('AWI-EC4', 'MUST', 'economics.token_savings', `It is ${savings}.`, `Say ${difference}.`));
  }
  const expected = (difference / raw) * 100;
  if (!(Math.abs(percent - expected) <= PERCENT_TOLERANCE)) {
    const remedy = raw === 0 ? 'Leave the group out where there are no raw tokens.' : `Say ${expected.toFixed(2)}.`;
    found.push(finding('AWI-EC5', 'MUST', 'economics.token_savings_percent', `It is ${percent}.`, remedy));
  }
  for (const [key, tokens] of [
    ['our_output', output],
    ['raw_html', raw],
    ['savings', difference],
  ] as const) {
    const price = (tokens / 1000) * basis.input_price_per_1k_usd;
    if (Math.abs(cost[key] - price) <= Math.abs(price) * COST_TOLERANCE + 1e-6) continue;
    found.push(
      finding('AWI-EC6', 'MUST', `economics.estimated_cost_usd.${key}`, `It is ${cost[key]}.`, `Say ${price}.`),
    );
  }
  return found;
}

/** In the order in which a finding is read: clause, severity, place, observation, remedy. */
function finding(...facts: readonly [string, ClauseLevel, string, string, string]): Finding {
  const [clause, level, where, seen, remedy] = facts;
  return { clause, level, where, seen, remedy };
}
