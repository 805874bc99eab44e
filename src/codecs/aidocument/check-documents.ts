import { type CheckOutcome, openLedger } from '../primitives/ledger.ts';
import { checkAIDocument } from './check.ts';
import { checkRefs } from './check-refs.ts';
import { AIWEBINDEX_CLAUSES } from './clauses.ts';
import { clausesSeenIn } from './clauses-seen.ts';
import { isVersion1, migrateToVersion2 } from './migrate.ts';
import { isJsonObject, parseJson } from './parse-json.ts';

/** One AIDocument as it was found. */
export interface SeenAIDocument {
  /** The URL or the file. */
  readonly where: string;
  readonly text: string;
}

const LIMITS = { maxLength: 64 * 1024 * 1024, maxDepth: 200 };

/** Checks documents against every clause. Each clause ends up checked, found at fault, or skipped with a reason. */
export function checkDocuments(seen: readonly SeenAIDocument[]): CheckOutcome {
  const ledger = openLedger(AIWEBINDEX_CLAUSES);
  for (const { id, role } of AIWEBINDEX_CLAUSES) ledger.skipped(reasonFor(id, role), id);
  const read = seen.map(({ where, text }) => ({ where, value: parseJson(withoutMark(text), LIMITS) }));
  const documents = read.flatMap(({ where, value }) =>
    isJsonObject(value) ? [{ where, document: isVersion1(value) ? migrateToVersion2(value) : value }] : [],
  );
  for (const { where, value } of read) {
    for (const finding of checkAIDocument(value)) ledger.note({ ...finding, where: `${where}: ${finding.where}` });
  }
  for (const finding of checkRefs(documents)) ledger.note(finding);
  ledger.looked('AWI-DOC1', ...documents.flatMap(({ document }) => clausesSeenIn(document)));
  if (documents.length > 1) ledger.looked('AWI-SCH6');
  return ledger.close();
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

const ONLY_THE_PAGE = 'Only the page itself shows it.';
const TWO_CALLS = 'It takes two calls to see; one document cannot show it.';
const REASONS: Readonly<Record<string, string>> = {
  'AWI-CO1': 'A document shows no User-Agent and no verification; the clauses of section 4 stand below.',
  'AWI-DOC3': 'It takes two releases of the implementation to see.',
  'AWI-SCH5': 'Refs are opaque: how another implementation makes them cannot be seen.',
  'AWI-SCH6': 'It takes two documents of one page to see.',
  'AWI-SRC1': TWO_CALLS,
  'AWI-SRC2': 'Only the request shows whether there was a redirect.',
  'AWI-SRC5': ONLY_THE_PAGE,
  'AWI-CT2': ONLY_THE_PAGE,
  'AWI-SG5': TWO_CALLS,
  'AWI-MG1': 'It takes a 1.0 document beside its 2.0 form to see.',
  'AWI-PR2': 'Only the implementation knows who asked.',
  'AWI-PR3': 'An option; either way is fine.',
};

function reasonFor(id: string, role: string): string {
  if (REASONS[id] !== undefined) return REASONS[id];
  if (/^AWI-(?:V|SE[123])/.test(id)) return 'A rule for the verification of domains: no document shows it.';
  if (role !== 'implementation') return `A rule for a ${role}: no document shows it.`;
  return id.startsWith('AWI-PR') ? 'A rule for requests: no document shows it.' : 'No document that was read has it.';
}
