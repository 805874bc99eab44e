import { expect, test } from 'vitest';
import type { Page } from '../model/page.ts';
import { extractPage } from './extract-page.ts';
import { steadyAnchors } from './steady-anchors.ts';

const URL = 'https://docs.example/';
const page = (...sections: readonly (readonly [id: string, heading: string, text: string])[]): Page =>
  extractPage(
    `<title>T</title><main>${sections.map(([id, heading, text]) => `<h2 id="${id}">${heading}</h2><p>${text}</p>`).join('')}</main>`,
    URL,
  );
const anchors = (after: Page, before: Page) => steadyAnchors(after, before).sections.map(({ anchor }) => anchor);

test.each([
  ['hex', 'setup-4c407d6e', 'limits-4c407d6e', 'setup-23d45d74', 'limits-23d45d74'],
  ['digits', 'toc_1001', 'toc_1002', 'toc_7001', 'toc_7002'],
])('sections whose ids are others at each look keep their anchors: %s', (_, setup, limits, newSetup, newLimits) => {
  const before = page([setup, 'Setup', 'One.'], [limits, 'Limits', 'Two.']);
  const after = page([newSetup, 'Setup', 'One.'], [newLimits, 'Limits', 'Two, edited.']);
  expect(anchors(after, before)).toEqual([setup, limits]);
  expect(steadyAnchors(after, before).sections.every(({ anchorIs }) => anchorIs === 'key')).toBe(true);
});

test('a section that is new among such is called by its own id', () => {
  const before = page(['setup-4c407d6e', 'Setup', 'One.']);
  const after = page(['notes-23d45d74', 'Notes', 'New.'], ['setup-23d45d74', 'Setup', 'One.']);
  expect(anchors(after, before)).toEqual(['notes-23d45d74', 'setup-4c407d6e']);
});

test('other ids are left as they are', () => {
  const release = (number: number) => [`fixes-${number}`, 'Fixes', `Those of ${number}.`] as const;
  // The oldest release went from a list of the newest.
  expect(anchors(page(release(1003), release(1002)), page(release(1002), release(1001)))).toEqual([
    'fixes-1003',
    'fixes-1002',
  ]);
  expect(anchors(page(release(1003)), page(release(1002)))).toEqual(['fixes-1003']);
  expect(anchors(page(['start', 'Setup', 'One.']), page(['setup', 'Setup', 'One.']))).toEqual(['start']);
  expect(anchors(page(['setup-4c407d6e', 'Setup', 'One.']), page(['setup', 'Setup', 'One.']))).toEqual([
    'setup-4c407d6e',
  ]);
});
