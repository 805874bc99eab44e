import { expect, test } from 'vitest';
import { snapshotOf } from '../../test/support/overview-snapshot.ts';
import type { OverviewSnapshot } from '../doors/hub-overview.ts';
import { overviewLines } from './overview-text.ts';
import { screenText, withoutLooks } from './screen-text.ts';

const textOf = (snapshot: OverviewSnapshot, rows?: number) => overviewLines(snapshot, rows).map(withoutLooks);

test('the overview says the states, what needs somebody, what runs and what changed last', () => {
  expect(textOf(snapshotOf())).toEqual([
    'Tidings http://127.0.0.1:8080/  12:00:00 UTC',
    '12 sources: 9 ok, 1 in error, 2 not read yet; 3,204 changes so far',
    '',
    'Needs somebody',
    'error     docs  It answered 503.',
    '',
    'Running now',
    'First reading of wiki: 120 of 400 pages, 12 s, about 28 s left',
    '',
    'Last changes',
    '03-01 11:59  update    blog  Setup › Install',
  ]);
});

test('a hub that does not run or cannot write says so; few rows show the top', () => {
  const text = textOf(snapshotOf({ running: false, writable: false })).join('\n');
  expect(text).toContain('No hub runs on this data.');
  expect(text).toContain('cannot write to its disk');
  expect(textOf(snapshotOf(), 5)).toHaveLength(5);
  expect(textOf(snapshotOf(), 1)).toEqual(['Tidings http://127.0.0.1:8080/  12:00:00 UTC']);
});

test('lines fit into narrow terminals, by columns and not by characters; colours are left out where nobody wants them', () => {
  const line = [{ text: '価格表 and more', look: 'bad' }, { text: ' rest' }] as const;
  expect(screenText(line, { columns: 5, hasColour: false })).toBe('価格');
  expect(screenText(line, { columns: 80, hasColour: true })).toBe('\x1b[31m価格表 and more\x1b[0m rest');
  expect(screenText(line, { columns: 0, hasColour: true })).toBe('');
});

test.each(['\x1b]0;owned\x07', 'a\r\nb', '\u202Egnp.exe', '\x9b31m', 'x'.repeat(1_000_000)])(
  'a hostile text neither moves the cursor nor begins a line: %.20j',
  (text) => {
    const hostile = snapshotOf({
      of: text,
      attention: [{ id: text, title: text, address: text, kind: 'site', word: 'error', remarks: [text] }],
      recent: snapshotOf().recent.map((change) => ({ ...change, title: text, source: text })),
      jobs: snapshotOf().jobs.map((job) => ({ ...job, source: text })),
    });
    for (const line of overviewLines(hostile)) {
      const shown = screenText(line, { columns: 100, hasColour: false });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
      expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(shown.length).toBeLessThanOrEqual(100);
    }
  },
);
