import { hash } from 'node:crypto';
import { shownText } from '../../../digest/shown-text.ts';
import { OWN_PAGE_MARK } from '../../../extract/own-page.ts';
import { Html, html, NO_HTML, outsideText } from '../../../hub/http/html.ts';
import { counted } from '../../../hub/http/html-pieces.ts';
import { nameOfPlace } from '../../../model/name-of-place.ts';
import type { NumberedRun } from './lay-out.ts';
import { runHtml } from './run-html.ts';

/** What all pages of a site share. With another look, the same log gives other pages. */
export interface ChangesLook {
  readonly site: URL;
  readonly title?: string | undefined;
  /** Whether excerpts of pages are shown. */
  readonly excerpts: boolean;
  /** The path of the feed for people below the site, if there is one. */
  readonly feed?: string | undefined;
  readonly style: string;
  readonly script: string;
}

export interface ChangesPageParts {
  /** The oldest first. */
  readonly runs: readonly NumberedRun[];
  /** The page with the changes before these, if there is one. */
  readonly olderPage?: number | undefined;
  /** It is not the newest page. */
  readonly isOlder: boolean;
  /** How many runs before the oldest page are on no page. */
  readonly left: number;
  /** What the next publish needs to know, as text. */
  readonly memory: string;
}

const FORMAT = 1;
const MAX_TITLE = 100;

/** The path below the site of the newest page, or of a page of older changes. */
export function changesPagePath(page?: number): string {
  return page === undefined ? 'changes/index.html' : `changes/page-${page}.html`;
}

/** A short digest of the look. The same runs and the same look give the same pages. */
export function lookDigest({ site, title, excerpts, feed, style, script }: ChangesLook): string {
  const look = JSON.stringify([FORMAT, site.href, title, excerpts, feed, style, script]);
  return hash('sha256', look, 'hex').slice(0, 16);
}

/**
 * A page that loads nothing and runs only what is in it: its policy names the hashes of its own style and script. Links are
 * relative, so that it works below any path, and as a file.
 */
export function changesPage(look: ChangesLook, parts: ChangesPageParts): string {
  const { style, script, feed } = look;
  const name = shownText(look.title ?? '', MAX_TITLE) || nameOfPlace(look.site);
  const policy = [
    "default-src 'none'",
    `style-src '${hashSource(style)}'`,
    `script-src '${hashSource(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="${OWN_PAGE_MARK}">
<meta name="tidings" content="${parts.memory}">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>What changed · ${name}</title>
${feed === undefined ? NO_HTML : html`<link rel="alternate" type="application/atom+xml" href="../${feed}">\n`}${inline('style', style)}
</head>
<body>
<header class="top"><a class="brand" href="../">${outsideText(name, MAX_TITLE)}</a></header>
<main>
<h1>What changed${parts.isOlder ? ' before' : ''}</h1>
<p class="faint">Newest first${feed === undefined ? NO_HTML : html` · <a href="../${feed}">Feed</a>`}</p>
<p class="filter" hidden><label for="path">Only paths with</label> <input id="path" type="search" autocomplete="off" spellcheck="false" placeholder="/guides/"> <span id="found" class="faint" role="status"></span></p>
${[...parts.runs].reverse().map(({ run, number }) => runHtml(run, { site: look.site, isFirst: number === 0 }))}${moreHtml(parts)}</main>
<footer class="foot"><p>Times are UTC until the page knows your zone. Made by Tidings from the log of the site.</p></footer>
${inline('script', script)}
</body>
</html>
`;
  return String(page);
}

function moreHtml({ olderPage, isOlder, left }: ChangesPageParts): Html {
  const newest = isOlder ? html`<a href="index.html">Newest</a>` : NO_HTML;
  const older = olderPage === undefined ? NO_HTML : html`<a rel="next" href="page-${olderPage}.html">Older</a>`;
  const nav =
    olderPage === undefined && !isOlder
      ? NO_HTML
      : html`<nav class="pager" aria-label="More">${newest}${older}</nav>\n`;
  const end =
    olderPage === undefined && left > 0
      ? html`<p class="faint">${counted(left, 'earlier publish', 'earlier publishes')} changed something, too. The log of the site has it.</p>\n`
      : NO_HTML;
  return html`${end}${nav}`;
}

/** Our own style and script; nothing in it comes from outside. */
function inline(tag: 'style' | 'script', text: string): Html {
  if (/<\/(?:script|style)/i.test(text)) throw new Error(`A ${tag} of ours would end its element.`);
  return new Html(`<${tag}>${text}</${tag}>`);
}

function hashSource(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}
