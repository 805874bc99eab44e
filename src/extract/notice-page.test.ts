import { describe, expect, test } from 'vitest';
import { extractPage } from './extract-page.ts';
import { isOnlyNotice, isStillItself, likenessOf, noticeOf } from './notice-page.ts';

const URL = 'https://docs.example/limits';
const page = (title: string, body: string, head = '') =>
  `<!doctype html><title>${title}</title>${head}<body>${body}</body>`;
const kindOf = (html: string) => noticeOf(extractPage(html, URL), html);
const isOnly = (html: string, url = URL) => {
  const read = extractPage(html, url);
  return isOnlyNotice(noticeOf(read, html), read, html);
};
const NO_INDEX = '<meta name="robots" content="noindex, nofollow">';
const PROSE = '<p>Every account has limits that are counted by the minute.</p>'.repeat(40);

describe('what stands in place of a page', () => {
  test.each([
    [
      'challenge',
      page(
        'Just a moment...',
        '<h1>docs.example</h1><p>Verify you are human by completing the action below.</p><p>Ray ID: 8a1f</p>',
      ),
    ],
    [
      'challenge',
      page(
        'Attention Required!',
        '<h1>Sorry, you have been blocked</h1><p>Cloudflare Ray ID: <b>8a1f00</b></p><div id="cf-chl"></div>',
      ),
    ],
    ['challenge', page('docs.example', '<p>Please enable JavaScript and cookies to continue</p>')],
    ['challenge', page('Access denied', '<h1>Access denied</h1><p>Reference #18.2f</p>')],
    ['login', page('Sign in', '<h1>Sign in</h1><form><input name=u><input type="password" name=p></form>')],
    ['login', page('Acme', '<main><p>Welcome back.</p><form><input type=password></form></main>')],
    [
      'maintenance',
      page('Acme', '<h1>We’ll be back soon</h1><p>The site is down for maintenance until 14:05 UTC.</p>'),
    ],
    ['not-found', page('Page not found | Acme', '<h1>Oops</h1><p>Try the search.</p>')],
    ['not-found', page('Acme', '<h1>404</h1><p>This is not the page you look for.</p>')],
    ['not-found', page('Acme', '<h1>The page you asked for does not exist</h1>')],
    ['not-found', page('Acme', '<h1>We couldn’t find that page</h1><p>Begin with one of these:</p>')],
    ['error', page('502 Bad Gateway', '<center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center>')],
    ['error', page('Acme', '<h1>Internal Server Error</h1><pre>TypeError: at render (/srv/app.js:14:2)</pre>')],
    [
      'error',
      page(
        'Error 1016',
        '<h1>Error 1016</h1><p>Ray ID: 8a1f</p><h2>Origin DNS error</h2><h2>What happened?</h2><p>We cannot resolve it.</p><h2>What can I do?</h2><p>Wait.</p>',
      ),
    ],
    ['stub', page('Acme', '<p>Hello.</p>', NO_INDEX)],
  ])('is a %s', (kind, html) => {
    expect(kindOf(html)).toBe(kind);
  });

  test.each([
    ['an article', page('Limits', `<h1>Limits</h1>${PROSE}`)],
    [
      'an article about challenges',
      page('Just a moment', `<h1>Just a moment</h1><p>Verify you are human.</p>${PROSE}`),
    ],
    ['a guide to an error', page('Access denied', '<h1>Access denied</h1><p>The key lacks a right.</p>')],
    ['a long page with a login on it', page('Home', `<h1>Home</h1>${PROSE}<form><input type=password></form>`)],
    ['a guide to a status', page('Status 502', `<h1>502 Bad Gateway</h1>${PROSE}`)],
    ['a page about errors', page('Server errors', '<h1>Server errors</h1><p>They are counted by the minute.</p>')],
    ['a short page', page('Contact', '<h1>Contact</h1><p>Write to us.</p>')],
    [
      'a page about the status',
      page('Errors', '<h1>Errors</h1><h2>404</h2><p>Nothing is there.</p><h2>410</h2><p>Gone.</p>'),
    ],
  ])('is not %s', (_, html) => {
    expect(kindOf(html)).toBeUndefined();
  });
});

test('a page that is new is taken for a challenge only by more than its words', () => {
  const bare = page('Human verification', '<h1>Human verification</h1><p>How we do it.</p>');
  expect(isOnly(bare)).toBe(false);
  const marked = page('Just a moment...', '<p>Verify you are human.</p><p>Ray ID: 1</p>');
  expect(isOnly(marked)).toBe(true);
});

test('a login that has a page of its own is edited like any other', () => {
  const login = (words: string) =>
    extractPage(page('Sign in', `<h1>Sign in</h1><p>${words}</p><form><input type=password></form>`), URL);
  const article = extractPage(page('Limits', `<h1>Limits</h1>${PROSE}`), URL);
  expect(isStillItself('login', login('Welcome.'), login('Welcome back.'))).toBe(true);
  expect(isStillItself('login', article, login('Welcome.'))).toBe(false);
});

test('notices are alike whatever is counted or named in them, and pages are not', () => {
  const notice = (id: string, time: string) =>
    extractPage(page('Just a moment...', `<h1>Checking</h1><p>Ray ID: ${id} at ${time}</p>`), URL);
  const [first, second] = [notice('8a1f00c2', '12:00'), notice('77b1e9aa', '12:01')];
  expect(first.checksum).not.toBe(second.checksum);
  expect(likenessOf(first)).toBe(likenessOf(second));
  const other = extractPage(page('Limits', `<h1>Limits</h1>${PROSE}`), URL);
  expect(likenessOf(other)).not.toBe(likenessOf(first));
});

test('of new pages, one that says it is not there is none, unless its address says that this is what it is about', () => {
  const missing = page('Page not found', '<h1>Page not found</h1><p>Sorry.</p>');
  const failed = page('502 Bad Gateway', '<h1>502 Bad Gateway</h1><p>nginx</p>');
  const login = page('Sign in', '<h1>Sign in</h1><form><input type="password"></form>');
  expect([missing, failed, login].map((html) => isOnly(html))).toEqual([true, true, false]);
  expect(isOnly(page('404', '<h1>404</h1><p>When nothing is there.</p>'))).toBe(false);
  expect(isOnly(missing, 'https://docs.example/guides/page-not-found')).toBe(false);
  expect(isOnly(failed, 'https://docs.example/errors/502')).toBe(false);
});
