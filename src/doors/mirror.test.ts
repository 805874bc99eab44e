import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { applyToMirror, type Mirror } from './mirror.ts';

const URL_A = 'https://docs.example/a';
const paragraphs = (markdown: string) => markdown.split(/\n\n+/);
const sectionsOf = (mirror: Mirror) => Object.fromEntries(mirror.get(URL_A)?.sections ?? []);

clause('AICF-C11', 'after an update the copy holds the new text of the section, and no longer the old one', () => {
  const mirror: Mirror = new Map();
  const html = '<h1 id="top">A</h1><p>Words.</p><h2 id="one">One</h2><p>Old.</p>';
  applyToMirror(mirror, { action: 'create', url: URL_A }, { html });
  expect(sectionsOf(mirror)).toMatchObject({ one: [expect.stringContaining('Old.')] });
  applyToMirror(mirror, { action: 'update', url: URL_A, anchor: 'one' }, { html: html.replace('Old.', 'New.') });
  expect(sectionsOf(mirror)).toEqual({ top: ['# A\n\nWords.'], one: ['## One\n\nNew.'] });
  applyToMirror(mirror, { action: 'delete', url: URL_A });
  expect(mirror.size).toBe(0);
});

clause('AICF-C15', 'a section that shrinks leaves none of its former chunks behind', () => {
  const mirror: Mirror = new Map();
  const page = (...texts: string[]) => ({
    html: `<h1 id="one">A</h1>${texts.map((text) => `<p>${text}</p>`).join('')}`,
    chunk: paragraphs,
  });
  applyToMirror(mirror, { action: 'create', url: URL_A }, page('b', 'c', 'd', 'e'));
  expect(sectionsOf(mirror).one).toHaveLength(5);
  applyToMirror(mirror, { action: 'update', url: URL_A, anchor: 'one' }, page('b'));
  expect(sectionsOf(mirror).one).toEqual(['# A', 'b']);
});

test('without a page nothing but a deletion is applied', () => {
  const mirror: Mirror = new Map();
  applyToMirror(mirror, { action: 'create', url: URL_A });
  expect(mirror.size).toBe(0);
});
