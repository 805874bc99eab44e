import { siteAddress } from '../crawl/site-address.ts';
import type { ProjectionTools } from '../dialects/projection.ts';
import { createReadingRules } from '../extract/rules/reading-rules.ts';
import { LOG_BYTES } from '../log/log-parts.ts';
import { withoutExcerpts } from '../log/without-excerpts.ts';
import type { Change, ChangeDraft } from '../model/change.ts';
import { DetailCollector } from './collect-details.ts';
import { foundDrafts, latestFileMs, stamped, textlessPages } from './found-changes.ts';
import { loadState, type PublishedState } from './load-state.ts';
import type { ProduceOptions } from './produce-options.ts';
import type { ProduceWorld } from './produce-world.ts';
import {
  loadPublications,
  type OpenProjection,
  planMarks,
  projectAll,
  saltWhereWanted,
  tellPage,
  wantProjections,
} from './projections.ts';
import { type PublishReport, publishReportOf } from './publish-report.ts';
import { type Published, type Publishing, publishUnlessSeen } from './publish-unless-seen.ts';
import { stopIfTooMuchVanishes } from './safety.ts';
import { adviceWith, rulesToRemember, siteRulesOf, withoutIgnored } from './site-rules.ts';
import type { PageReading, SiteComparison } from './site-source.ts';
import { FIRST_LOOK } from './volatile/next-look.ts';
import { writeSite } from './write-site.ts';
import { writeLog, writePages } from './write-state.ts';

/**
 * PRODUCE: a site becomes changes in the log, and the log becomes feeds.
 *
 * The log commits first. The page state and every feed are derived from it, so the next run completes a run that was interrupted.
 */
export async function produce(options: ProduceOptions, world: ProduceWorld): Promise<PublishReport> {
  const site = siteAddress(options.site, options);
  return await publishUnlessSeen(options, world, (watched) => publishAll({ ...options, site }, watched));
}

async function publishAll(
  options: Omit<ProduceOptions, 'site'> & { readonly site: URL },
  { world, forget }: Publishing,
): Promise<Published> {
  const { source, out } = world;
  const { site, excerpts = true, stateBytes = LOG_BYTES } = options;
  const reading = createReadingRules(options);
  const { deflate, assetText } = world;
  const tools: ProjectionTools = { readPage: source.readPage?.bind(source), deflate, assetText, rules: reading };
  const wanted = await wantProjections(world.dialects, options, tools);
  const state = await loadState([world.state, ...world.otherStates], site);
  const projections = await loadPublications(wanted, world, state);

  const hints = { extensions: options.extensions ?? {}, nonce: world.nonce };
  const details = new DetailCollector({ hints, risk: options.riskRules });
  const onPage = async (reading: PageReading) => {
    await details.onPage(reading);
    await tellPage(projections, reading);
  };
  const known = { ...withoutIgnored(state.pages, reading), look: state.pages.look ?? FIRST_LOOK };
  const rules = siteRulesOf(reading, state.pages.rules);
  const comparison = await source.compare(known, { ...options, rules, accepts: reading.accepts, onPage });
  const isPage = (url: string) => comparison.pages.has(url) || state.pages.pages.has(url);
  const facts = projections.flatMap(({ publication }) => publication.drafts?.(isPage) ?? []);
  const { isBlank, mayBeBare } = barenessOf(comparison, state, projections);
  if (!options.allowDeletes && !mayBeBare)
    stopIfTooMuchVanishes(comparison, known.pages.size, adviceWith(source, reading));
  const earliestMs = latestFileMs(state.pages.pages);
  const found = foundDrafts(comparison.changes, {
    site,
    extractor: reading.extractor,
    details,
    earliestMs,
    nowMs: world.now(),
  });
  const told = [...(excerpts ? found : found.map(withoutExcerpts)), ...facts];
  options.onChanges?.(told);
  if (options.dryRun || isBlank) return { report: publishReportOf(comparison, { facts }), isParted: false };

  const drafts = saltWhereWanted(projections, told, world.salt);
  if (drafts.length > 0 || comparison.failures.length > 0) forget();
  const appended = await appendChanges(drafts, site, state, world);
  const changes = [...state.changes, ...appended];
  const nowMs = appended.length > 0 ? earliestMs : Math.max(world.now(), earliestMs);
  const compared = excerpts ? comparison.pages : textlessPages(comparison.pages, state.pages);
  const pages = stamped(compared, changes, nowMs);
  const marks = planMarks(projections, state.pages.marks, changes);
  const log = changes.length;
  const written = { ...comparison, pages, log, marks, rules: rulesToRemember(rules), isTextless: !excerpts };
  const { head: pagesFile, ...inState } = await writePages(written, state, { folder: world.state, stateBytes });

  const isRead = comparison.reached > 0 || (mayBeBare && comparison.failures.length === 0);
  const shown = excerpts ? changes : changes.map(withoutExcerpts);
  const grown = { changes: shown, grownBy: appended.length, pages, pagesFile, isRead, out, ...tools };
  const now = { unread: comparison.failures.length, nowMs: world.now() };
  const projected = await projectAll(projections, { ...grown, ...now });
  const artifacts = await writeSite(projected, { ...world, statePaths: inState.paths }, site);
  const report = publishReportOf(comparison, { artifacts, facts, suggestions: projected.suggestions });
  return { report, isParted: inState.isParted };
}

/**
 * A site without pages may be published if its projections have something to report. If no page could ever be read, there is nothing to publish yet,
 * not even an empty feed.
 */
function barenessOf(
  { pages }: Pick<SiteComparison, 'pages'>,
  state: PublishedState,
  projections: readonly OpenProjection[],
): { readonly isBlank: boolean; readonly mayBeBare: boolean } {
  const isBare = pages.size === 0 && state.pages.pages.size === 0;
  const mayBeBare = isBare && projections.some(({ publication }) => publication.standsAlone);
  return { mayBeBare, isBlank: isBare && !mayBeBare && state.changes.length === 0 };
}

async function appendChanges(
  drafts: readonly ChangeDraft[],
  site: URL,
  state: PublishedState,
  world: ProduceWorld,
): Promise<readonly Change[]> {
  // The newest copy of the log may be on the live site or in the output folder: it is copied here before it grows.
  if (!state.isOwnLog) await writeLog(state.logParts, world.state);
  if (drafts.length === 0) return [];
  await using log = await world.openLog(site, state);
  return await log.append(drafts);
}
