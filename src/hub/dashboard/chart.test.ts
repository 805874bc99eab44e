import { expect, test } from 'vitest';
import { barChart } from './chart.ts';

const WORDS = { title: 'Changes per day', one: 'change' };

test('each bar says its number, and the whole says the same in a sentence and as a table', () => {
  const html = String(
    barChart(
      [
        { label: '2026-03-01', value: 0 },
        { label: '2026-03-02', value: 1 },
        { label: '2026-03-03', value: 1000 },
      ],
      WORDS,
    ),
  );
  expect(html).toContain('aria-label="Changes per day. 1,001 changes; the busiest is 2026-03-03 with 1,000"');
  expect(html).toContain('viewBox="0 0 30 100"');
  expect(html).toContain('<title>2026-03-02: 1 change</title>');
  expect(html).toContain('<rect class="bar" x="1" y="100" width="8" height="0"/>');
  expect(html).toContain('<rect class="bar" x="11" y="98" width="8" height="2"/>');
  expect(html).toContain('<rect class="bar" x="21" y="0" width="8" height="100"/>');
  expect(html).toContain('<th scope="row">2026-03-03</th><td class="number">1,000</td>');
  expect(html).toContain('<span>2026-03-01</span><span>2026-03-03</span>');
});

test('nothing is said to be nothing', () => {
  expect(String(barChart([], WORDS))).toContain('aria-label="Changes per day. no changes"');
  expect(String(barChart([{ label: 'a', value: 0 }], WORDS))).toContain('<span>a</span></p>');
});

test('labels and words are text', () => {
  const html = String(barChart([{ label: '"><script>', value: 1 }], { title: '<b>', one: '<i>' }));
  expect(html).not.toMatch(/<(?:script|b|i)>/);
});

test('what stands out is drawn on top of its bar, said on hover and a column of its own', () => {
  const bars = [
    { label: '2026-03-01', value: 4, marked: 1 },
    { label: '2026-03-02', value: 2 },
  ];
  const html = String(barChart(bars, { title: 'Requests', one: 'request', marked: 'refused' }));
  expect(html).toContain('<title>2026-03-01: 4 requests, 1 refused</title>');
  expect(html).toContain('<rect class="bar marked" x="1" y="0" width="8" height="25"/>');
  expect(html.match(/marked/g)).toHaveLength(1);
  expect(html).toContain('<th scope="row">2026-03-02</th><td class="number">2</td><td class="number">0</td>');
});
