import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { badge, count, counted, timeHtml } from '../../http/html-pieces.ts';
import type { ExpectedCost } from '../../preview/expected-cost.ts';
import type { PreviewedOffer, SourcePreview } from '../../preview/source-preview.ts';
import { outside } from '../changes/change-line.ts';
import type { FrameFacts } from '../page-frame.ts';

const MAX_REASON = 300;
const MAX_SAID = 200;

/** What a site offers, allows and costs. */
export function foundHtml(preview: SourcePreview, { root }: FrameFacts): Html {
  const { url, readAt, failure, watchedAs, spent, choice } = preview;
  const again = `${root}add?${new URLSearchParams({ url, again: '1' })}`;
  return html`<h2>What was found</h2>
<p>${outside(url)} <span class="faint">read at ${timeHtml(Date.parse(readAt))} with ${counted(spent.requests, 'request')} and ${sizeText(spent.bytes)}.</span> <a href="${again}" data-reading>Read it again</a></p>
${watchedAs === undefined ? NO_HTML : html`<p class="warning">It is watched already, as <a href="${root}sources/${encodeURIComponent(watchedAs)}">${outsideText(watchedAs)}</a>. Added once more, it is asked twice.</p>\n`}${failure === undefined ? NO_HTML : html`<p class="warning">Nothing of it can be read now: ${outsideText(failure.message, MAX_REASON)} It can be watched all the same: it is tried again and again.</p>\n`}${choice === undefined ? NO_HTML : html`<p>It will be followed by <b>${outsideText(choice.dialect)}</b>: ${outsideText(choice.reason, MAX_REASON)}.</p>\n`}${offersHtml(preview.offers)}
<dl class="facts">
<dt>robots.txt</dt><dd>${preview.robots.allowed ? 'It lets the pages be read.' : 'It does not let the pages be read. Feeds of the site can still be followed.'}</dd>
${termsHtml(preview)}</dl>
${preview.cost === undefined ? NO_HTML : costHtml(preview.cost)}`;
}

function offersHtml(offers: readonly PreviewedOffer[]): Html {
  if (offers.length === 0) return NO_HTML;
  return html`<table>
<caption>What it offers, the best way first.</caption>
<thead><tr><th scope="col">State</th><th scope="col">What</th><th scope="col">Told last</th><th scope="col">Why</th></tr></thead>
<tbody>
${offers.map((offer) => offerRow(offer))}</tbody>
</table>`;
}

const OFFER_BADGES = { ok: 'ok', stale: 'degraded', broken: 'error' } as const;

function offerRow({ dialect, url, state, reason, newest }: PreviewedOffer): Html {
  const told = newest === undefined ? undefined : Date.parse(newest);
  return html`<tr><td>${state === 'ok' ? badge('ok') : html`<b class="badge ${OFFER_BADGES[state]}">${state}</b>`}</td><td>${outsideText(dialect)}<p class="faint">${outside(url)}</p></td><td data-label="told last">${timeHtml(told)}</td><td>${outsideText(reason, MAX_REASON)}</td></tr>
`;
}

function termsHtml({ terms, uses }: SourcePreview): Html {
  if (terms.length === 0) return html`<dt>Terms</dt><dd>Nothing is said of the use of its pages.</dd>\n`;
  const wishes = Object.entries(uses).map(([use, answer]) => `${use}: ${answer}`);
  return html`<dt>Terms</dt><dd>${wishes.length === 0 ? 'No use is refused or granted.' : `${wishes.join(', ')}.`}
<ul>${terms.slice(0, 10).map(({ vocabulary, said, where, note }) => html`<li>${vocabulary}: ${outsideText(said, MAX_SAID)} <span class="faint">(${outsideText(where, MAX_SAID)})</span> ${note === undefined ? NO_HTML : outsideText(note, MAX_SAID)}</li>`)}</ul></dd>
`;
}

const DAYS = [
  ['busy', 'Where much changes'],
  ['atFirst', 'At first'],
  ['quiet', 'Where nothing changes'],
] as const;

function costHtml({ words, perDay, isAtLeast }: ExpectedCost): Html {
  return html`<table class="cost">
<caption>What a day costs${isAtLeast ? ', at least' : ''}.</caption>
<thead><tr><th scope="col">When</th><th scope="col">One look every</th><th scope="col" class="number">Looks</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Bytes</th></tr></thead>
<tbody>
${DAYS.map(([when, name]) => {
  const { everySeconds, looks, requests, bytes } = perDay[when];
  return html`<tr><th scope="row">${name}</th><td data-label="every">${spanText(everySeconds)}</td><td class="number" data-label="looks">${count(looks)}</td><td class="number" data-label="requests">${count(requests)}</td><td class="number" data-label="bytes">${sizeText(bytes)}</td></tr>\n`;
})}</tbody>
</table>
<details><summary>How this is reckoned</summary><ul>${words.map((sentence) => html`<li>${sentence}</li>`)}</ul></details>`;
}

/** As people say it: `300 bytes`, `12 KB`, `3.4 MB`. */
function sizeText(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, 'KB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${size < 10 ? size.toFixed(1) : count(Math.round(size))} ${unit}`;
}

function spanText(seconds: number): string {
  if (seconds < 120) return counted(seconds, 'second');
  if (seconds < 7200) return counted(Math.round(seconds / 60), 'minute');
  return seconds < 172_800 ? counted(Math.round(seconds / 3600), 'hour') : counted(Math.round(seconds / 86_400), 'day');
}
