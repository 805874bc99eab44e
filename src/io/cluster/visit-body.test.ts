import { expect, test } from 'vitest';
import { draft, nameOf, page, urlOf } from '../../hub/store/hub-store-fixtures.contract.ts';
import { decodeVisit, visitBody, visitSteps } from './visit-body.ts';
import { packBody, unpackBody } from './write-body.ts';

test('what is written of a visit is read as it was', async () => {
  const text = 'ü \u0000 😀 '.repeat(300);
  const put = [page('1', nameOf(text)), { ...page('2'), missingSinceMs: 5, movedTo: urlOf('1') }];
  const snapshots = new Map([
    [nameOf(text), text],
    [nameOf(''), ''],
  ]);
  const visit = { source: 'a', drafts: [], pages: { put, remove: [urlOf('3')], foundBy: 'links' as const }, snapshots };
  const packed = await packBody(visitBody(visit, true));
  expect(packed.length).toBeLessThan(text.length / 2);
  const { drafts: _, ...visited } = visit;
  expect(decodeVisit(await unpackBody(packed))).toEqual({ visited, hasMore: true });
  await expect(unpackBody(packed.subarray(0, -3))).rejects.toThrow();
});

test('all changes of a visit are one step; pages of which nothing is told are steps of their own, behind it', () => {
  const told = Array.from({ length: 450 }, (_, at) => page(`told/${at}`));
  const quiet = Array.from({ length: 450 }, (_, at) => page(`quiet/${at}`));
  const drafts = told.map(({ record: { url } }) => ({ ...draft('a'), url }));
  const steps = visitSteps({ source: 'a', drafts, pages: { put: [...told, ...quiet], remove: [], foundBy: 'links' } });
  expect(steps.map((parts) => parts.map((part) => [part.drafts.length, part.pages?.put.length]))).toEqual([
    [
      [200, 200],
      [200, 200],
      [50, 50],
    ],
    [[0, 200]],
    [[0, 200]],
    [[0, 50]],
  ]);
  expect(steps.flat().map(({ pages }) => pages?.foundBy)).toEqual([...Array(5).fill(undefined), 'links']);
});

test('many texts come before what names them, some at a time; few come with it', () => {
  const large = Array.from({ length: 5 }, (_, at) => String(at).repeat(2 ** 21));
  const textsOf = (texts: readonly string[]) => new Map(texts.map((text) => [nameOf(text), text]));
  const put = large.map((text, at) => page(String(at), nameOf(text)));
  const steps = visitSteps({
    source: 'a',
    drafts: [draft('a')],
    pages: { put, remove: [] },
    snapshots: textsOf(large),
  });
  expect(steps.map((parts) => parts.map(({ drafts, snapshots }) => [drafts.length, snapshots?.size]))).toEqual([
    [[0, 2]],
    [[0, 2]],
    [[0, 1]],
    [[1, 0]],
  ]);
  const few = visitSteps({ source: 'a', drafts: [draft('a')], snapshots: textsOf(['x', 'y']) });
  expect(few.map((parts) => parts.map(({ drafts, snapshots }) => [drafts.length, snapshots?.size]))).toEqual([
    [[1, 2]],
  ]);
});
