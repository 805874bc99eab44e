import { expect, test } from 'vitest';
import type { AicfEvent } from '../../src/doors/aicf.ts';
import { extractPage } from '../../src/extract/extract-page.ts';
import { IS_LONG } from '../support/short-or-long.ts';
import { temporaryFolder } from '../support/site.ts';
import { editionHtml, pageOf } from './editions.mjs';
import { describeReport, passed } from './harness.ts';
import { judge, nothingWrong, ServedFiles, torturePublish } from './publish.ts';

test.runIf(IS_LONG)('a published site keeps its promises when the publisher is killed at any moment', async () => {
  const report = await torturePublish(10);
  expect(passed(report), describeReport(report)).toBe(true);
});

test('a served file that changes, or ends in the midst of a line, is found out', () => {
  using site = temporaryFolder();
  const wrong = nothingWrong();
  const reader = new ServedFiles(site.path, wrong);
  const lookAt = (text: string) => {
    site.write({ 'ai-changes.ndjson': text });
    reader.read();
  };
  lookAt('one\n');
  lookAt('one\ntwo\n');
  expect(wrong).toEqual(nothingWrong());
  lookAt('ONE\ntwo\n');
  lookAt('ONE\ntwo\nthr');
  expect(wrong).toEqual({ ...nothingWrong(), changed: 1, torn: 1 });
});

test.each([
  ['lost', [20, 60], [20, 40, 60]],
  ['doubled', [20, 40, 40, 60], [20, 40, 60]],
  ['reordered', [20, 60, 40], [20, 40, 60]],
])('an edition that is %s is found out', (kind, told, published) => {
  const wrong = nothingWrong();
  judge(told.map(eventOf), new Set(published), wrong);
  expect(wrong).toEqual({ ...nothingWrong(), [kind]: 1 });
});

function eventOf(edition: number, index: number): AicfEvent {
  const page = extractPage(editionHtml(edition), `https://docs.example/${pageOf(edition)}`);
  const checksum = page.sections.find(({ anchor }) => anchor === 'changes')?.checksum;
  return {
    id: `id-${index}`,
    action: 'update',
    url: page.url,
    anchor: 'changes',
    time: '2026-01-01T00:00:00Z',
    checksum,
  };
}
