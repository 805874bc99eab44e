import { expect, test } from 'vitest';
import { isFoldName, isFurnitureName } from './furniture-names.ts';

test.each([
  'footer',
  'site-footer dark',
  'p-body-sidebar',
  'pageFooter',
  'Breadcrumbs_root__x7Ab',
  'message-userExtras',
  'related products',
  'cross-sells',
])('"%s" names furniture', (names) => {
  expect(isFurnitureName(names)).toBe(true);
});

test.each([
  '',
  'content',
  'has-sidebar',
  'withSidebar',
  'p-body-main--withSidebar',
  'grid-cols-sidebar-content',
  'md:mr-[--sidebar-width]',
  'sidebar-layout',
  'col-12 px-4',
  'message-userContent',
  'code-toolbar',
  'banner__footer',
])('"%s" does not', (names) => {
  expect(isFurnitureName(names)).toBe(false);
});

test('what a click unfolds is told from what a click opens over the page', () => {
  expect(isFoldName('accordion__panel is-closed')).toBe(true);
  expect(isFoldName('tab-pane')).toBe(true);
  expect(isFoldName('modal accordion')).toBe(false);
  expect(isFoldName('sidebar-filter-panel')).toBe(false);
});
