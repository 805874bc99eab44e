import { expect, test } from 'vitest';
import { checkAt } from '../../../test/support/operator.ts';
import type { Change } from '../../model/change.ts';
import { explainChange } from './explain-change.ts';

const LEARNED = '2026-11-16T03:00:10.000Z';
const learnedMs = Date.parse(LEARNED);
const BEFORE = '# Limits\n\nIntro.\n\n## Tiers\n\nTwo.\n\n## Prices\n\n19\n';
const AFTER = '# Limits\n\nIntro.\n\n## Tiers\n\nThree.\n\n## Prices\n\n21\n';

function changeOf(more: Partial<Change> = {}): Change {
  return {
    seq: 7,
    id: '01M7H8MGPFP2CD6H6MZVRA31S2',
    source: 'docs',
    kind: 'page',
    action: 'update',
    url: 'https://docs.example/limits',
    time: LEARNED,
    provenance: { by: 'compare', before: 'sha256:1', after: 'sha256:2' },
    ...more,
  };
}

const both = { before: BEFORE, after: AFTER, isAlone: false };

test('of a section, its own lines; of the page, all', () => {
  const { text, boundary } = explainChange(changeOf({ anchor: 'tiers' }), both, []);
  expect(boundary).toBe('https://docs.example/limits#tiers');
  const lines = [' ## Tiers', ' ', '-Two.', '+Three.', ' '];
  expect(text).toMatchObject({ is: 'edited', scope: 'section', hunks: [{ lines }] });
  const whole = explainChange(changeOf(), both, []).text;
  expect(whole.is === 'edited' && whole.hunks.flatMap(({ lines }) => lines)).toContain('+21');
});

test('a section whose lines cannot be told: the page, unless it was the only one', () => {
  const named = changeOf({ anchor: 'id7' });
  expect(explainChange(named, both, []).text).toMatchObject({ is: 'edited', scope: 'page' });
  expect(explainChange(named, { ...both, isAlone: true }, []).text).toMatchObject({ scope: 'section' });
  const anchors = ['limits', 'id7', 'prices'];
  expect(explainChange(named, { ...both, anchors }, []).text).toMatchObject({
    scope: 'section',
    hunks: [{ lines: expect.arrayContaining(['+Three.']) }],
  });
});

test('what came and what went shows its beginning', () => {
  const long = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
  const came = explainChange(changeOf({ action: 'create' }), { after: long, isAlone: true }, []).text;
  expect(came).toMatchObject({ is: 'came', lines: 50, start: expect.arrayContaining(['line 19']) });
  expect(came.is === 'came' && came.start).toHaveLength(20);
  const went = explainChange(changeOf({ action: 'delete' }), { before: BEFORE, isAlone: true }, []).text;
  expect(went).toMatchObject({ is: 'went', start: expect.arrayContaining(['## Tiers']) });
});

test('what is not kept, or never was, is said', () => {
  const because = (change: Change, versions = {}) => {
    const { text } = explainChange(change, { isAlone: true, ...versions }, []);
    return text.is === 'unknown' ? text.because : text.is;
  };
  expect(because(changeOf())).toMatch(/no longer kept: retention/);
  expect(because(changeOf(), { after: AFTER })).toBe('The text before is no longer kept.');
  expect(because(changeOf(), { before: BEFORE })).toBe('The text after is no longer kept.');
  expect(because(changeOf({ action: 'delete' }))).toBe('The text is no longer kept.');
  expect(because(changeOf({ provenance: { by: 'aicf' } }))).toMatch(/^The feed says that it changed, not how/);
  expect(because(changeOf({ provenance: { by: 'compare' } }))).toMatch(/keeps no texts/);
  expect(because(changeOf({ action: 'create', provenance: {} }))).toMatch(/keeps no texts/);
});

test('the check that found it is the one that was under way; the one before is the last good one', () => {
  const found = checkAt('docs', learnedMs - 50, { changes: 2 });
  const failed = checkAt('docs', learnedMs - 5000, { outcome: 'error' });
  const good = checkAt('docs', learnedMs - 9000);
  const later = checkAt('docs', learnedMs + 10_000, { changes: 1 });
  expect(explainChange(changeOf(), both, [later, found, failed, good]).checks).toEqual({ found, before: good });
  // The records of that time are gone.
  expect(explainChange(changeOf(), both, [later]).checks).toEqual({});
  expect(explainChange(changeOf(), both, [good]).checks).toEqual({});
  // One that found nothing did not find it.
  expect(explainChange(changeOf(), both, [{ ...found, changes: 0 }, good]).checks).toEqual({});
});
