import { expect, test } from 'vitest';
import { ToldSite } from './told-site.ts';

const URL_OF_PAGE = 'https://a.example/p';
const SEEN = '2026-11-17T12:00:05.288Z';

/** A page that we have seen ourselves, and what its feed tells of it behind that. */
function toldBehind(claimedTime: string): ToldSite {
  const told = new ToldSite();
  const page = { kind: 'page', action: 'update', url: URL_OF_PAGE } as const;
  told.add({ ...page, checksum: 'ours', time: SEEN, provenance: { by: 'compare' } });
  told.add({ ...page, checksum: 'theirs', time: '2026-11-17T12:00:09Z', claimedTime, provenance: { by: 'rss' } });
  return told;
}

test.each([
  ['a second that was over', '2026-11-17T12:00:04Z', 'ours'],
  ['the second in which it was seen, and it may be later', '2026-11-17T12:00:05Z', 'theirs'],
  ['a moment before', '2026-11-17T12:00:05.100Z', 'ours'],
  ['a moment behind', '2026-11-17T12:00:05.559Z', 'theirs'],
  ['the day', '2026-11-17', 'theirs'],
])('what a feed claims of %s: how the page is, says %s', (_, claimed, checksum) => {
  expect(toldBehind(claimed).checksumsOf(URL_OF_PAGE).get(URL_OF_PAGE)).toBe(checksum);
});
