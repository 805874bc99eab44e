import { diffPages } from '../../diff/diff-pages.ts';
import type { Change } from '../../model/change.ts';
import { judgePage, type PageVerdict } from './judge-page.ts';
import { type HonestyLook, type LookPorts, lookAtPage } from './look-at-page.ts';
import { type HonestySample, outlineOf, type SampledPage } from './sample.ts';

/** The current pages of a sample. They are read before the feed, so the feed had the chance to report what they show. */
export type SampleLooks = ReadonlyMap<string, HonestyLook>;

export async function lookAtSample(sample: HonestySample | undefined, ports: LookPorts): Promise<SampleLooks> {
  const looks = new Map<string, HonestyLook>();
  for (const page of sample?.pages ?? []) looks.set(page.url, await lookAtPage(page.url, page, ports));
  return looks;
}

/** Compares what the feed reported since the sample with the pages. A changed page without a report is read again: if it differs again, it is volatile. */
export async function compareSample(
  sample: HonestySample,
  looks: SampleLooks,
  { claims, ...ports }: LookPorts & { readonly claims: readonly Change[] },
): Promise<readonly PageVerdict[]> {
  const told = claimsByPage(claims);
  const verdicts: PageVerdict[] = [];
  for (const page of sample.pages) {
    const look = looks.get(page.url) ?? { is: 'unread' as const, reason: 'it was not looked at' };
    const verdict = verdictOf(page, look, told);
    verdicts.push(await believed(verdict, { page, look }, ports));
  }
  return verdicts;
}

function verdictOf(page: SampledPage, look: HonestyLook, told: ReadonlyMap<string, readonly Change[]>): PageVerdict {
  const { url, atMs: fromMs } = page;
  const before = outlineOf(page);
  const nothing = { url, told: [], seen: [] };
  if (look.is === 'unread') return { ...nothing, verdict: 'unread', reason: look.reason };
  const after = look.is === 'page' ? look.page : undefined;
  if (before === undefined || (after !== undefined && after.extractor !== before.extractor)) {
    return { ...nothing, verdict: 'unread', reason: 'it was read by another version before' };
  }
  const names = new Set([pageKey(url), ...(look.is === 'page' ? [pageKey(look.foundAt)] : [])]);
  const claims = [...names].flatMap((name) => told.get(name) ?? []);
  const toMs = look.is === 'page' ? look.sampled.atMs : look.atMs;
  return judgePage(
    { url, before, after, fromMs, toMs },
    claims.map((claim) => ({ ...claim, url })),
  );
}

/** A counter on a page is not a finding. */
async function believed(
  verdict: PageVerdict,
  { page, look }: { readonly page: SampledPage; readonly look: HonestyLook },
  ports: LookPorts,
): Promise<PageVerdict> {
  if (look.is !== 'page' || (verdict.verdict !== 'seen-not-told' && verdict.verdict !== 'both')) return verdict;
  const again = await lookAtPage(page.url, look.sampled, ports);
  if (again.is === 'page' && diffPages(look.page, again.page).length === 0) return verdict;
  return { ...verdict, verdict: 'volatile', reason: 'it is another one at each look' };
}

function claimsByPage(claims: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  const told = new Map<string, Change[]>();
  for (const claim of claims) {
    const key = pageKey(claim.url);
    const known = told.get(key);
    if (known === undefined) told.set(key, [claim]);
    else known.push(claim);
  }
  return told;
}

/** One key for the several URLs of a page: `/a`, `/a/`, `/a/index.html`, `/a.html`. */
export function pageKey(url: string): string {
  return url.replace(/#.*$/s, '').replace(/(?:\/index)?(?:\.html?)?\/?$/i, '');
}
