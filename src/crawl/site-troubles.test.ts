import { expect, test } from 'vitest';
import { SiteTroubles } from './site-troubles.ts';
import type { SiteTrouble } from './visit-error.ts';

function after(...troubles: readonly SiteTrouble[]): SiteTroubles {
  const site = new SiteTroubles();
  for (const trouble of troubles) site.add(trouble);
  return site;
}
const times = (count: number, trouble: SiteTrouble) => Array.from({ length: count }, () => trouble);

test.each<readonly [string, readonly SiteTrouble[], boolean]>([
  ['four silences', times(4, 'silent'), false],
  ['five silences', times(5, 'silent'), true],
  ['five broken pages', times(5, 'broken'), false],
  ['seven broken pages', times(7, 'broken'), false],
  ['eight broken pages', times(8, 'broken'), true],
  ['a silence when pages elsewhere are tried', [...times(5, 'broken'), 'silent'], true],
  ['four broken pages and one of a busy site', [...times(4, 'broken'), 'busy'], true],
  ['one of a busy site', ['busy'], false],
  ['two of a busy site', ['busy', 'broken', 'busy'], true],
  ['one that stops all', ['stop'], true],
])('after %s: whether the site is down', (_, troubles, isDown) => {
  expect(after(...troubles).isDown({ hasRead: true })).toBe(isDown);
});

test('a site that is busy before it ever answered is down', () => {
  expect(after('busy').isDown({ hasRead: false })).toBe(true);
});

test('pages elsewhere are tried after five failures, until one answers', () => {
  const site = after(...times(4, 'broken'));
  expect(site.probe).toBeUndefined();
  for (const place of [0.5, 1, 0.25]) {
    site.add('broken');
    expect(site.probe).toBe(place);
  }
  site.clear();
  expect(site.probe).toBeUndefined();
});

test('an answer elsewhere is believed twenty times', () => {
  const site = new SiteTroubles();
  for (let probing = 1; probing <= 21; probing += 1) {
    for (const trouble of times(5, 'broken')) site.add(trouble);
    expect(site.isDown({ hasRead: true })).toBe(probing > 20);
    site.clear();
  }
});
