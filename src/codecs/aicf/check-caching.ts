import type { Ledger } from '../primitives/ledger.ts';
import type { AnsweredDocument } from '../primitives/seen-document.ts';
import type { AicfSeen } from './seen.ts';

/** Checks whether readers can make conditional requests for the feed and for the pages it lists. */
export function checkCaching({ feed, feedAgain, targets = [] }: AicfSeen, ledger: Ledger): void {
  if (feed?.kind !== 'answered' || feed.status !== 200) return;
  if (feed.headers === undefined || feedAgain === undefined) {
    ledger.skipped('A folder has no validators; check the live site.', 'AICF-H1', 'AICF-H2');
    return;
  }
  ledger.looked('AICF-H1');
  if (!hasValidator(feed)) {
    ledger.note({
      clause: 'AICF-H1',
      where: feed.where,
      seen: 'It has neither ETag nor Last-Modified: every poll reads the whole feed.',
      remedy: 'Let the server send an ETag.',
    });
  } else if (feedAgain.kind === 'answered' && feedAgain.status === 200 && sameValidators(feed, feedAgain)) {
    ledger.note({
      clause: 'AICF-H1',
      where: feed.where,
      seen: 'Asked again with its own validators, it answers 200 with the whole feed instead of 304.',
      remedy: 'Let the server honour If-None-Match and If-Modified-Since.',
    });
  }
  checkGrowth(feed, feedAgain.kind === 'answered' ? feedAgain : undefined, ledger);
  checkTargets(
    targets.filter((target) => target.kind === 'answered'),
    ledger,
  );
}

/** The feed may grow between two reads, so the first must be the beginning of the second. */
function checkGrowth(feed: AnsweredDocument, again: AnsweredDocument | undefined, ledger: Ledger): void {
  if (again?.status !== 200) return;
  if (feed.bytes.every((byte, at) => again.bytes[at] === byte)) return;
  ledger.note({
    clause: 'AICF-F2',
    where: feed.where,
    seen: 'Read twice, the second text does not begin with the first.',
    remedy: 'Only ever add lines at the end.',
  });
}

function checkTargets(targets: readonly AnsweredDocument[], ledger: Ledger): void {
  const pages = targets.filter((target) => target.status === 200);
  if (pages.length === 0) {
    ledger.skipped('None of the pages that were tried could be read.', 'AICF-H2');
    return;
  }
  ledger.looked('AICF-H2');
  for (const page of pages.filter((target) => !hasValidator(target))) {
    ledger.note({
      clause: 'AICF-H2',
      where: page.where,
      seen: 'The page has neither ETag nor Last-Modified.',
      remedy: 'Let the server send an ETag for pages, too.',
    });
  }
}

function hasValidator({ headers }: AnsweredDocument): boolean {
  return headers?.etag !== undefined || headers?.['last-modified'] !== undefined;
}

function sameValidators(first: AnsweredDocument, second: AnsweredDocument): boolean {
  return ['etag', 'last-modified'].every((name) => first.headers?.[name] === second.headers?.[name]);
}
