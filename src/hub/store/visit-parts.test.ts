import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangeDraft } from '../../model/change.ts';
import type { PageState, VisitCommit } from './hub-store.ts';
import { visitParts } from './visit-parts.ts';

const urlOf = (at: number) => `https://docs.example/${at}`;

function stateOf(url: string): PageState {
  return { record: { url, file: 'f', extractor: '1', line: new Uint8Array() } };
}

const visits = fc
  .record({
    changed: fc.array(fc.nat(30)),
    put: fc.uniqueArray(fc.nat(30)),
    remove: fc.uniqueArray(fc.integer({ min: 31, max: 60 })),
    most: fc.integer({ min: 1, max: 7 }),
  })
  .map(({ changed, put, remove, most }) => {
    // As a comparison gives them: those of one page stand together.
    const sorted = changed.toSorted((a, b) => a - b);
    const drafts = sorted.map((at): ChangeDraft => ({ source: 'docs', action: 'update', url: urlOf(at) }));
    const pages = { put: put.map((at) => stateOf(urlOf(at))), remove: remove.map(urlOf), foundBy: 'links' as const };
    return { most, visit: { source: 'docs', drafts, pages, snapshots: new Map([['sha256:a', 'a']]) } };
  });

test('every change comes in its order, every page once and with all of its changes, and no part is large', () => {
  fc.assert(
    fc.property(visits, ({ most, visit }) => {
      const parts = visitParts(visit, most);
      expect(parts.flatMap(({ drafts }) => drafts)).toEqual(visit.drafts);
      const written = parts.flatMap(writtenUrls);
      expect(written.toSorted()).toEqual(writtenUrls(visit).toSorted());
      for (const [at, part] of parts.entries()) {
        const lastPage = part.drafts.at(-1)?.url;
        expect(part.drafts.filter(({ url }) => url !== lastPage).length).toBeLessThanOrEqual(most);
        expect(writtenUrls(part).length).toBeLessThanOrEqual(most);
        const later = new Set(parts.slice(at + 1).flatMap(({ drafts }) => drafts.map(({ url }) => url)));
        for (const url of writtenUrls(part)) expect(later.has(url), url).toBe(false);
        for (const { url } of part.drafts) expect(later.has(url), `${url} is told in two parts`).toBe(false);
      }
      expect(parts[0]?.snapshots).toBe(visit.snapshots);
      expect(parts.map(({ pages }) => pages?.foundBy).filter((by) => by !== undefined)).toEqual(['links']);
      expect(parts.at(-1)?.pages?.foundBy).toBe('links');
    }),
  );
});

test('a small visit is one', () => {
  const visit = { source: 'docs', drafts: [] };
  expect(visitParts(visit, 5)).toEqual([visit]);
});

function writtenUrls({ pages }: VisitCommit): string[] {
  return [...(pages?.put.map(({ record }) => record.url) ?? []), ...(pages?.remove ?? [])];
}
