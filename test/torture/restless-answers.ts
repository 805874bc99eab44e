import { gzipSync } from 'node:zlib';
import type { Served } from '../support/live-site.ts';
import { Random } from './hub-random.ts';
import type { Asked, RestlessKind } from './restless-kind.ts';

/** Origins that now and then answer with something else than the page that was asked for. */
export const RESTLESS_ANSWERS: readonly RestlessKind[] = [
  sometimes(
    'challenge with a ray id',
    (asked) => isUnwell(asked, 0.25),
    ({ byRequest }) => challenge(byRequest),
  ),
  sometimes('login in the midst of a look', isLate, ({ byRequest }) => login(byRequest)),
  sometimes('maintenance in the midst of a look', isLate, ({ byRequest }) => maintenance(byRequest)),
  {
    ...sometimes(
      'not found with 200',
      ({ byPage }) => byPage.chance(0.1),
      ({ byRequest }) => notFound(byRequest),
    ),
    removed: ({ byRequest }) => notFound(byRequest),
  },
  {
    ...sometimes('not found with 200 and suggestions', ({ byPage }) => byPage.chance(0.1), suggestions),
    removed: suggestions,
  },
  sometimes(
    'error of a CDN with 200',
    ({ byPage }) => byPage.chance(0.2),
    ({ byRequest }) => cdnError(byRequest),
  ),
  sometimes(
    'error of a proxy with 200',
    ({ byPage }) => byPage.chance(0.2),
    () => PROXY_ERROR,
  ),
  sometimes(
    'stack trace with 200',
    ({ byPage }) => byPage.chance(0.15),
    ({ byRequest }) => stackTrace(byRequest),
  ),
  sometimes(
    'placeholder not to be indexed',
    ({ byPage }) => byPage.chance(0.2),
    () => PLACEHOLDER,
  ),
  sometimes(
    'shell without its text',
    ({ byPage }) => byPage.chance(0.2),
    (asked) => shell(asked),
  ),
  sometimes('shell for three days', ({ look, looks }) => isBetween(look, looks), shell),
  sometimes(
    'empty with 200',
    ({ byPage }) => byPage.chance(0.2),
    ({ byRequest }) => byRequest.pick(['', EMPTY]),
  ),
  sometimes('body cut short', ({ byPage }) => byPage.chance(0.3), cutShort),
  sometimes('page that stops in its midst', ({ byPage }) => byPage.chance(0.2), stopsInMidst),
  sometimes(
    'bursts of 5xx',
    (asked) => isUnwell(asked, 0.7),
    ({ byRequest }) => ({
      status: byRequest.pick([500, 502, 503, 504]),
      body: PROXY_ERROR,
    }),
  ),
  sometimes('429 with Retry-After', isLate, () => ({
    status: 429,
    headers: { 'retry-after': '120' },
    body: '<h1>Too many requests</h1>',
  })),
  sometimes('redirect to a login and back', isLate, ({ path }) => ({
    status: 302,
    headers: { location: loginFor(path) },
  })),
  sometimes(
    'redirects in a ring',
    (asked) => isUnwell(asked, 0.5),
    ({ path }) => ({
      status: 302,
      headers: { location: path },
    }),
  ),
  sometimes('charset that flips', ({ byPage }) => byPage.chance(0.3), otherCharset),
  sometimes('gzip that is broken', ({ byPage }) => byPage.chance(0.3), brokenGzip),
  sometimes(
    'language that flips',
    ({ byPage }) => byPage.chance(0.3),
    (asked) => asked.html({ lang: 'de' }, 'german'),
  ),
  sometimes(
    'two versions of all',
    ({ byPage }) => byPage.chance(0.4),
    (asked) => asked.html({}, 'other'),
  ),
  sometimes(
    'caches that are behind',
    ({ sinceEdit = Number.POSITIVE_INFINITY, byPage }) => sinceEdit < 6 && byPage.chance(0.5),
    (asked) => asked.former(),
  ),
  { name: 'sitemap that is empty at times', answer: () => undefined, sitemap: emptySitemap },
  { name: 'sitemap that is short at times', answer: () => undefined, sitemap: shortSitemap },
  { name: 'lastmod that is always now', answer: () => undefined, sitemap: freshSitemap },
];

type Condition = (asked: Asked) => boolean;

function sometimes(name: string, when: Condition, answer: (asked: Asked) => Served): RestlessKind {
  // At the first look all is well: nobody adds a source that cannot be read.
  return { name, answer: (asked) => (asked.look > 0 && when(asked) ? answer(asked) : undefined) };
}

export const LOGIN_PAGE = login(new Random(1));

export function loginFor(path: string): string {
  return `/login?next=${path}`;
}

/** A third of all looks, and in them this share of the pages. */
function isUnwell({ byLook, byPage }: Asked, share: number): boolean {
  return byLook.chance(0.33) && byPage.chance(share);
}

/** For a quarter of the life of the source, which is three days. */
function isBetween(look: number, looks: number): boolean {
  return look > looks * 0.45 && look <= looks * 0.7;
}

/** From one page on to the end of a look. */
function isLate({ byLook, order }: Asked): boolean {
  return byLook.chance(0.3) && order >= byLook.integer(0, 4);
}

function id(random: Random): string {
  return `${random.integer(0x10000000, 0x7fffffff).toString(16)}f0`;
}

function challenge(random: Random): string {
  return `<!doctype html><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"><h1>docs.harbor.example</h1>
<p>Verifying you are human. This may take a few seconds.</p><p>Ray ID: <code>${id(random)}</code></p>`;
}

function login(random: Random): string {
  return `<!doctype html><title>Sign in | Harbor Docs</title><main><h1>Sign in</h1><form action="/login?csrf=${id(random)}">
<input name="user"><input type="password" name="word"><button>Sign in</button></form><p>Forgot your password?</p></main>`;
}

function maintenance(random: Random): string {
  return `<!doctype html><title>Harbor Docs</title><main><h1>We will be back soon</h1>
<p>Harbor is down for scheduled maintenance, about ${random.integer(3, 50)} minutes more.</p></main>`;
}

function notFound(random: Random): string {
  return `<!doctype html><title>Page not found | Harbor Docs</title><main><h1>Page not found</h1>
<p>Sorry, there is nothing here. Tell us about it: ${id(random)}.</p></main>`;
}

/** With the frame of the site, and longer than a notice usually is. */
function suggestions({ byRequest }: Asked): string {
  const topics = ['tides', 'cranes', 'ropes', 'pilots', 'quays', 'locks'].map(
    (topic) =>
      `<li><a href="/more/${topic}">Everything that we know about ${topic} and those who work with them</a></li>`,
  );
  return `<!doctype html><html><head><title>Harbor Docs</title></head><body><header class="site-header"><a href="/">Harbor</a></header>
<main><h1>We couldn’t find that page</h1><p>It may have been moved or deleted. Search our docs, or begin with one of these:</p>
<ul>${topics.join('')}</ul><p>Reference ${id(byRequest)}</p></main><footer><p>© 2026 Harbor Ltd.</p></footer></body></html>`;
}

function cdnError(random: Random): string {
  return `<!doctype html><title>Error 1016</title><h1>Error 1016</h1><p>Ray ID: ${id(random)} • 2026-03-01 10:0${random.integer(0, 9)} UTC</p>
<h2>Origin DNS error</h2><h2>What happened?</h2><p>You have requested a page on a website that is on our network. We are unable to resolve your requested domain.</p>
<h2>What can I do?</h2><p>If you are a visitor of this website, please try again in a few minutes.</p>`;
}

const PROXY_ERROR =
  '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.24.0</center></body></html>';
const PLACEHOLDER =
  '<!doctype html><title>Harbor Docs</title><meta name="robots" content="noindex"><p>Preparing your document.</p>';
const EMPTY = '<!doctype html><html><head><title>Harbor Docs</title></head><body></body></html>';

function stackTrace(random: Random): string {
  return `<!doctype html><title>Harbor Docs</title><h1>Internal Server Error</h1><pre>TypeError: Cannot read properties of undefined (reading 'slug')
    at render (/srv/app/${id(random)}.js:${random.integer(1, 999)}:14)
    at process (node:internal:95:5)</pre>`;
}

/** All around the text, and in its place that it is being loaded. */
function shell(asked: Asked): string {
  return asked.html().replace(/<article[\s\S]*<\/article>/, '<div id="root"><p>Loading…</p></div>');
}

function cutShort(asked: Asked): Served {
  const html = Buffer.from(asked.html());
  const part = html.subarray(0, Math.floor(html.length * (0.3 + asked.byRequest.fraction() * 0.5)));
  const isCounted = asked.byRequest.chance(0.5);
  return (response) => {
    const length = isCounted ? { 'content-length': `${html.length}` } : {};
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...length });
    response.write(part, () => response.destroy());
  };
}

/** Whole for HTTP: what made the page stopped, and the rest was sent as all of it. */
function stopsInMidst(asked: Asked): string {
  const html = asked.html();
  return html.slice(0, Math.floor(html.length * (0.45 + asked.byRequest.fraction() * 0.4)));
}

function otherCharset(asked: Asked): Served {
  const html = asked.html();
  const said = asked.byRequest.pick(['true', 'not said', 'latin1 is said', 'utf-8 is said']);
  return (response) => {
    const charset = { 'not said': '', 'utf-8 is said': '; charset=utf-8' }[said] ?? '; charset=iso-8859-1';
    const bytes = Buffer.from(html, said === 'true' || said === 'utf-8 is said' ? 'latin1' : 'utf8');
    response.writeHead(200, { 'content-type': `text/html${charset}` }).end(bytes);
  };
}

function brokenGzip(asked: Asked): Served {
  const packed = gzipSync(asked.html());
  const bytes = asked.byRequest.chance(0.5) ? packed.subarray(0, packed.length - 40) : Buffer.from(asked.html());
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' }).end(bytes);
  };
}

type SitemapAsked = Parameters<NonNullable<RestlessKind['sitemap']>>[0];

function emptySitemap({ byLook }: SitemapAsked): Served | undefined {
  const nothing = byLook.pick([
    '',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>',
    PROXY_ERROR,
  ]);
  return byLook.chance(0.4) ? nothing : undefined;
}

/** Never twice the same one, and never twice in a row. */
function shortSitemap({ base, look, byLook }: SitemapAsked, paths: readonly string[]): Served | undefined {
  return look % 3 === 1 ? listOf(base, paths.slice(0, byLook.integer(2, paths.length - 1))) : undefined;
}

function freshSitemap({ base, look }: SitemapAsked, paths: readonly string[]): Served {
  return listOf(base, paths, new Date(Date.UTC(2026, 2, 1, look * 3)).toISOString());
}

function listOf(base: string, paths: readonly string[], lastmod?: string): string {
  const time = lastmod === undefined ? '' : `<lastmod>${lastmod}</lastmod>`;
  const urls = paths.map((path) => `<url><loc>${new URL(path, base).href}</loc>${time}</url>`);
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`;
}
