import { expect, test } from 'vitest';
import { HOSTILE_MARKUP, HOSTILE_TEXTS } from '../../../../test/support/signed-in.ts';
import type { JobView } from '../../jobs/job-view.ts';
import { runningNow } from './running-now.ts';

const JOB: JobView = { id: '1', what: 'First reading', done: 120, unit: 'pages', startedAt: '2026-03-01T12:00:00Z' };

test('what runs says how far it is, and is read again soon; where nothing does there is an empty part', () => {
  const html = String(
    runningNow(
      [
        { ...JOB, source: 'docs', total: 400 },
        { ...JOB, done: 0 },
      ],
      './',
    ),
  );
  expect(html).toContain('First reading of <a href="./sources/docs"><bdi>docs</bdi></a>');
  expect(html).toContain('<progress aria-label="First reading" value="120" max="400"></progress> 120 of 400 pages');
  expect(html).toContain('<progress aria-label="First reading"></progress>');
  expect(html).toContain('data-every="3"');
  expect(String(runningNow([], './'))).toMatch(/^<section id="running" [^>]*data-every="15"[^>]*><\/section>$/);
});

test('more than was known of is no bar beyond its end', () => {
  expect(String(runningNow([{ ...JOB, total: 100 }], './'))).toContain('value="120" max="120"');
});

test.each(HOSTILE_TEXTS)('a hostile id stays text: %.30j', (text) => {
  const html = String(runningNow([{ ...JOB, source: text }], './'));
  expect(html.replaceAll(/href="[^"]*"/g, '')).not.toMatch(HOSTILE_MARKUP);
});
