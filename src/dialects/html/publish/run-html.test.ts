import { expect, test } from 'vitest';
import { changeOf } from '../../../../test/support/change-of.ts';
import { HOSTILE_STRINGS } from '../../../../test/support/hostile-strings.ts';
import type { Change } from '../../../model/change.ts';
import { runHtml } from './run-html.ts';

const SITE = new URL('https://docs.example/');

function shown(...changes: readonly (Partial<Change> & Pick<Change, 'url'>)[]): string {
  const run = { source: 'docs', time: '2026-02-05T12:00:00Z', changes: changes.map(changeOf) };
  return String(runHtml(run, { site: SITE, isFirst: false }));
}

test('a change leads to its section where there is one, and nowhere where its page is gone', () => {
  expect(shown({ url: `${SITE}a`, anchor: 'x y' })).toContain('<a href="../a#x%20y">');
  expect(shown({ url: `${SITE}a`, anchor: 'x', anchorIs: 'key' })).toContain('<a href="../a">');
  expect(shown({ url: `${SITE}a`, action: 'delete' })).not.toContain('<a ');
  expect(shown({ url: 'javascript:alert(1)' })).not.toContain('<a ');
  expect(shown({ url: 'https://elsewhere.example/a' })).not.toContain('<a ');
});

test('of many changes some are shown, and the others are counted', () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ url: `${SITE}p${at}` }));
  expect(shown(...many).match(/<li /g)).toHaveLength(50);
  expect(shown(...many)).toContain('and 10 more changes');
});

test('facts of an API have their words', () => {
  const fact = shown({ url: `${SITE}api`, kind: 'endpoint', title: 'orders 1.0', summary: 'orders ends in May.' });
  expect(fact).toContain('orders ends in May.');
});

test('whatever stands in a field, it stays text', () => {
  for (const text of HOSTILE_STRINGS) {
    const fields = {
      anchor: text,
      title: text,
      heading: text,
      before: text,
      excerpt: `x ${text}`,
      summary: text,
      note: text,
    };
    const page = shown({ url: `${SITE}a`, ...fields }, { url: `${SITE}b`, kind: 'endpoint', ...fields });
    expect(page).not.toMatch(
      /<(?!\/?(?:section|h2|h3|time|p|ul|li|a href="\.\.\/|a>|b class|b>|bdi|ins|del|span)[\s>]?)/,
    );
    expect(page.match(/<\/section>/g)).toHaveLength(1);
  }
});
