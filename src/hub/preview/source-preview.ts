import { formatTime } from '../../codecs/primitives/time.ts';
import type { UsageSignal, Wishes } from '../../codecs/usage-terms/usage.ts';
import { createReadingRules } from '../../extract/rules/reading-rules.ts';
import type { SiteOffer } from '../../follow/site-offers.ts';
import { othersFirst } from '../../log/others-first.ts';
import type { GivenRules } from '../../model/given-rules.ts';
import type { SourceConfig } from '../config/source-config.ts';
import { type CostFacts, type ExpectedCost, expectedCost } from './expected-cost.ts';
import type { GlanceFailure } from './glance-at-site.ts';
import { type PreviewedPage, previewPage } from './preview-page.ts';
import { titleOfSource } from './proposed-source.ts';

/** What watching a source would mean: what it offers, how its pages would be read, what that costs. Nothing of it is recorded. */
export interface SourcePreview {
  /** Where it was looked. */
  readonly url: string;
  readonly readAt: string;
  /** Why nothing of it can be read. It may be watched all the same. */
  readonly failure?: GlanceFailure;
  readonly robots: { readonly allowed: boolean };
  /** Feeds in the order in which they are preferred, then its sitemap, Markdown and pages. */
  readonly offers: readonly PreviewedOffer[];
  /** What would be followed, and why. */
  readonly choice?: Pick<SiteOffer, 'dialect' | 'url' | 'reason'>;
  /** The terms of use of its pages, and their consequences. */
  readonly terms: readonly UsageSignal[];
  readonly uses: Wishes;
  readonly pages: readonly PreviewedPage[];
  readonly cost?: ExpectedCost;
  /** The setting that `POST /api/v1/sources` takes. */
  readonly source: SourceConfig;
  /** The source that reads the same place already. */
  readonly watchedAs?: string;
  /** What the look itself has cost. */
  readonly spent: { readonly requests: number; readonly bytes: number };
}

export interface PreviewedOffer extends Pick<SiteOffer, 'dialect' | 'url' | 'state' | 'reason' | 'coverage'> {
  /** When it last reported something. */
  readonly newest?: string;
}

export interface PreviewFacts extends Omit<CostFacts, 'config'> {
  readonly source: SourceConfig;
  readonly rules: GivenRules;
  readonly watchedAs?: string | undefined;
}

/** Gives way to others between two pages. */
export async function sourcePreview(facts: PreviewFacts): Promise<SourcePreview> {
  const { source, look, rules, watchedAs, ...rest } = facts;
  const reading = createReadingRules(rules);
  const pages: PreviewedPage[] = [];
  for (const page of look.pages) {
    await othersFirst();
    pages.push(previewPage(page, reading));
  }
  const cost = expectedCost({ config: source, look, ...rest });
  const { offers = [], choice, terms = [], uses = {} } = look.discovery ?? {};
  const title = titleOfSource(pages[0]?.title);
  return {
    url: look.url,
    readAt: formatTime(look.readAtMs),
    ...(look.failure !== undefined && { failure: look.failure }),
    robots: { allowed: look.isAllowed },
    offers: offers.map(shownOffer),
    ...(choice !== undefined && { choice }),
    terms,
    uses,
    pages,
    ...(cost !== undefined && { cost }),
    source: { ...source, ...(title !== undefined && { title }), ...rulesFor(source, reading.given) },
    ...(watchedAs !== undefined && { watchedAs }),
    spent: { requests: look.requests, bytes: look.bytes },
  };
}

/** The pages of a feed are not read, so there are no elements to leave out. */
function rulesFor({ kind }: SourceConfig, { ignore, only }: GivenRules): GivenRules {
  const few = (rules: readonly string[] | undefined) =>
    kind === 'feed' ? rules?.filter((rule) => rule.startsWith('/')) : rules;
  const [left, alone] = [few(ignore), few(only)];
  return { ...(left && left.length > 0 && { ignore: left }), ...(alone && alone.length > 0 && { only: alone }) };
}

function shownOffer({ dialect, url, state, reason, coverage, newestMs }: SiteOffer): PreviewedOffer {
  return {
    dialect,
    url,
    state,
    reason,
    ...(coverage !== undefined && { coverage }),
    ...(newestMs !== undefined && { newest: formatTime(newestMs) }),
  };
}
