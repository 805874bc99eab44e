import { plainLine } from '../alerts/plain-line.ts';
import { type Html, html, NO_HTML } from '../http/html.ts';
import { mayAct, type Role, type Viewer } from '../sign-in/viewer.ts';

/** The position of a page in the navigation. */
export type PlaceName = 'overview' | 'sources' | 'search' | 'add' | 'subscriptions' | 'keys' | 'alerts' | 'admin';

/** One page without what all pages have around them. */
export interface HubPage {
  /** Plain text; the name of the hub follows it. */
  readonly title: string;
  readonly place?: PlaceName;
  /** Feeds that say the same, for readers of feeds. Addresses are below the hub. */
  readonly alternates?: readonly { readonly title: string; readonly path: string; readonly mediaType: string }[];
  /** Scripts and styles that no other page has: their paths below the hub. */
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  /** Begins with an `<h1>`. Links are made with {@link FrameFacts}' root. */
  readonly main: Html;
}

interface Place {
  readonly name: PlaceName;
  readonly words: string;
  /** Below the hub. */
  readonly path: string;
  readonly role?: Role;
}

/** The navigation of every page. */
const PLACES: readonly Place[] = [
  { name: 'overview', words: 'Overview', path: '' },
  { name: 'sources', words: 'Sources', path: 'sources' },
  { name: 'search', words: 'Search', path: 'search' },
  { name: 'add', words: 'Add a source', path: 'add', role: 'operate' },
  { name: 'subscriptions', words: 'Subscriptions', path: 'subscriptions', role: 'read' },
  { name: 'keys', words: 'API keys', path: 'keys', role: 'admin' },
  { name: 'alerts', words: 'Alerts', path: 'alerts', role: 'read' },
  { name: 'admin', words: 'Admin log', path: 'admin', role: 'admin' },
];

export interface FrameParts {
  /** Paths of the style, the script and the icon, below the hub. They change with what is in them. */
  readonly style: string;
  readonly script: string;
  readonly icon: string;
  /** The sentences for forms that worked, by the word after `?done=`. */
  readonly doneWords: Readonly<Record<string, string>>;
  /** Whether anyone may ask for a site to be followed. */
  readonly takesRequests?: boolean;
  /** Whether there is a way to sign in. */
  readonly canSignIn: boolean;
}

const MAX_TITLE = 100;

/** Puts around a page what all pages have. */
export type Framer = (page: HubPage, asked: FrameFacts) => Html;

export interface FrameFacts {
  /** How the page leads to the hub: `../` for a page one folder down. */
  readonly root: string;
  readonly query: URLSearchParams;
  readonly viewer: Viewer;
}

export function createFramer(parts: FrameParts): Framer {
  return (page, { root, query, viewer }) => {
    const done = parts.doneWords[query.get('done') ?? ''];
    return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${plainLine(page.title, MAX_TITLE)} · Tidings</title>
<link rel="stylesheet" href="${root}${parts.style}">
<link rel="icon" href="${root}${parts.icon}">
<script src="${root}${parts.script}" defer></script>
${(page.styles ?? []).map((path) => html`<link rel="stylesheet" href="${root}${path}">\n`)}${(page.scripts ?? []).map((path) => html`<script src="${root}${path}" type="module"></script>\n`)}${(page.alternates ?? []).map((one) => html`<link rel="alternate" type="${one.mediaType}" title="${plainLine(one.title, MAX_TITLE)}" href="${root}${one.path}">\n`)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${root}">Tidings</a>
<nav aria-label="Pages"><ul>${PLACES.filter(({ role }) => role === undefined || mayAct(viewer, role)).map((place) => placeLink(place, page, root))}</ul></nav>
${accountOf(viewer, root, parts)}
</header>
<main id="main" tabindex="-1">
${done === undefined ? NO_HTML : html`<p class="done" role="status">${done}</p>\n`}${page.main}
</main>
<footer class="foot"><p>Times are UTC until the page knows your zone. <a href="${root}openapi.json">API</a> · <a href="${root}state/health.json">Health</a> · <a href="${root}metrics">Metrics</a> · <a href="${root}bot">About the crawler</a> · <a href="${root}verify">Check a receipt</a> · <a href="${root}owners">For site owners</a>${parts.takesRequests ? html` · <a href="${root}follow">Follow a site</a>` : NO_HTML}</p></footer>
</body>
</html>
`;
  };
}

function placeLink({ name, words, path }: Place, { place }: HubPage, root: string): Html {
  const current = place === name ? html` aria-current="page"` : NO_HTML;
  return html`<li><a href="${root}${path}"${current}>${words}</a></li>`;
}

function accountOf({ role, name, formToken }: Viewer, root: string, { canSignIn }: FrameParts): Html {
  if (role === undefined)
    return canSignIn ? html`<p class="account"><a href="${root}sign-in">Sign in</a></p>` : NO_HTML;
  return html`<form class="account" method="post" action="${root}sign-out"><input type="hidden" name="form_token" value="${formToken}"><span>${name} <span class="faint">(${role})</span></span> <button>Sign out</button></form>`;
}

/** The relative path from a page to the hub, which works under any name and base path. `path`: as in routes. */
export function rootOf(path: string): string {
  return '../'.repeat(path.split('/').length - 2) || './';
}
