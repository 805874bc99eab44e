import { expect, test } from 'vitest';
import { clauseTable } from '../codecs/primitives/clause.ts';
import { openLedger } from '../codecs/primitives/ledger.ts';
import { checkReportOf } from './check-report.ts';

const CLAUSES = clauseTable('X-1\tMAY\tpublisher\tA licence may be given.\nX-2\tMUST\tpublisher\tAn id is there.');

test('what is optional is no failure where it is missing, and one that breaks a rule is', () => {
  const ledger = openLedger(CLAUSES);
  ledger.looked('X-1', 'X-2');
  const fault = { where: 'feed.xml', seen: 'There is none.', remedy: 'Name one.' };
  ledger.note({ clause: 'X-1', ...fault });
  ledger.note({ clause: 'X-2', ...fault });
  const statuses = () =>
    checkReportOf({ target: 'x', spec: 'x' }, CLAUSES, ledger.close()).clauses.map(({ status }) => status);
  expect(statuses()).toEqual(['pass', 'fail']);
  ledger.note({ clause: 'X-1', level: 'MUST', ...fault });
  expect(statuses()).toEqual(['fail', 'fail']);
});
