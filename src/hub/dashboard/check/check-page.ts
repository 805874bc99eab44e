import { reportHtml, verdictHtml } from '../../../check/forms/report-html.ts';
import { reportVerdict } from '../../../check/forms/report-verdict.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import { webUrl } from '../../config/setting-addresses.ts';
import { oneOf } from '../../config/setting-decoders.ts';
import { preferredMedia } from '../../http/accept-media.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { timeHtml } from '../../http/html-pieces.ts';
import { JSON_TYPE } from '../../http/small-answer.ts';
import { queryFields } from '../../routes/query-fields.ts';
import type { SiteCheck, WatchedSiteChecks } from '../../site-checks/site-checks.ts';
import { outside } from '../changes/change-line.ts';
import { emptyState } from '../pieces.ts';
import { presentFields, type View } from '../view.ts';
import { CHECK_FACTS_SCHEMA, type SiteCheckFacts } from './check-facts.ts';

const MAX_REASON = 500;
const SHOWN_SITES = 100;

export const CHECKED_URL = {
  name: 'url',
  in: 'query',
  description: 'The address of a watched source, or the root of its host.',
  schema: { type: 'string', format: 'uri', maxLength: 2048 },
} as const;

/** How well the feeds of a watched site meet their specifications. */
export function checkPageView(checks: WatchedSiteChecks): View<SiteCheckFacts> {
  return {
    path: '/check',
    summary: 'Problems of the change feeds of a watched site, and how to fix them.',
    isMetered: true,
    parameters: [
      CHECKED_URL,
      {
        name: 'format',
        in: 'query',
        description: 'json: the report as JSON, also sent to clients that accept application/json.',
        schema: { enum: ['html', 'json'] },
      },
    ],
    schema: CHECK_FACTS_SCHEMA,
    async read({ query }) {
      const { url } = queryFields(
        { url: webUrl, format: oneOf(['html', 'json']) },
        presentFields(query, ['url', 'format']),
      );
      if (url === undefined) return { sites: checks.sites().slice(0, SHOWN_SITES) };
      return factsOf(await checks.check(url));
    },
    otherForm(facts, { query, accept }) {
      const format = query.get('format') ?? '';
      const isJson =
        format === '' ? preferredMedia(accept, ['text/html', 'application/json']) !== 'text/html' : format === 'json';
      return isJson ? { mediaType: JSON_TYPE, text: `${JSON.stringify(facts)}\n` } : undefined;
    },
    show: (facts, { root }) => ({
      title: facts.url === undefined ? 'Check a site' : `Check of ${facts.url}`,
      main: facts.url === undefined ? sitesHtml(facts, root) : checkedHtml({ ...facts, url: facts.url }, root),
    }),
  };
}

function factsOf({ url, checkedAtMs, report, failure }: SiteCheck): SiteCheckFacts {
  return {
    url,
    checkedAt: formatTime(checkedAtMs),
    verdict: report === undefined ? 'unknown' : reportVerdict(report),
    ...(report !== undefined && { report }),
    ...(failure !== undefined && { failure }),
  };
}

function sitesHtml({ sites = [] }: SiteCheckFacts, root: string): Html {
  return html`<h1>Check a site</h1>
<p>Every clause of every change feed that a watched site offers: what is wrong, and what to write. For any other site, run <code>npx tidings check https://docs.example/</code>.</p>
${sites.length === 0 ? emptyState('No site is watched that can be checked.') : html`<ul>${sites.map(({ title, url }) => html`<li><a href="${checkPath(root, url)}">${outsideText(title)}</a> <span class="faint">${outsideText(url)}</span></li>\n`)}</ul>`}`;
}

/** Where the check of an address is shown. */
export function checkPath(root: string, url: string): string {
  return `${root}check?url=${encodeURIComponent(url)}`;
}

function checkedHtml(
  { url, checkedAt, verdict = 'unknown', report, failure }: SiteCheckFacts & { url: string },
  root: string,
): Html {
  const query = `url=${encodeURIComponent(url)}`;
  return html`<h1>Check of ${outsideText(url, MAX_REASON)} ${verdictHtml(verdict)}</h1>
<p class="faint">${outside(url)} · checked ${timeHtml(Date.parse(checkedAt ?? ''))}; for some minutes the result is the same.</p>
<p><a href="${root}check?${query}&amp;format=json">As JSON</a> · <a href="${root}check/badge.svg?${query}">Badge</a> · <a href="${root}check">Other sites</a></p>
${failure === undefined ? NO_HTML : html`<p class="warning">${outsideText(failure, MAX_REASON)}</p>`}${report === undefined ? NO_HTML : reportHtml(report)}`;
}
