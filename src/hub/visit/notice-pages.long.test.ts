import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { pageOf, startLiveSite } from '../../../test/support/live-site.ts';

const DAY = 24 * 60 * 60 * 1000;
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const pages = () => Object.fromEntries(NAMES.map((name) => [`/${name}`, pageOf(`Page ${name}`)]));
const sitemapOf = (url: string) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${NAMES.map((name) => `<url><loc>${url}${name}</loc></url>`).join('')}</urlset>`;

async function openSite() {
  const site = await startLiveSite(pages());
  site.put({ '/sitemap.xml': sitemapOf(site.url) });
  const lab = await openVisitLab({ id: 'docs', kind: 'site', url: site.url });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: NAMES.length });
  lab.told(site.url);
  return {
    site,
    lab,
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

let serial = 0;
/** Different at each look, as ids and times make it. */
const NOTICES = {
  challenge: () =>
    `<title>Just a moment...</title><h1>Checking</h1><p>Verify you are human.</p><p>Ray ID: ${(serial++).toString(16)}f0</p>`,
  login: () => `<title>Acme</title><h1>Welcome</h1><p>Session ${serial++}</p><form><input type="password"></form>`,
  maintenance: () => `<title>Acme</title><h1>Back soon</h1><p>Down for maintenance, ${serial++} minutes left.</p>`,
  'not found': () => `<title>Page not found</title><h1>Oops</h1><p>Incident ${serial++}</p>`,
};

test.each(Object.entries(NOTICES))(
  'a %s in place of one page is no change, at each of ten looks',
  async (_, notice) => {
    await using opened = await openSite();
    const { site, lab } = opened;
    for (let look = 0; look < 10; look += 1) {
      site.put({ '/b': notice() });
      expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, unread: 1 });
    }
    site.put({ '/b': pageOf('Page b', 'It says that.') });
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, unread: 0 });
    expect(lab.told(site.url)).toEqual(['update /b#one']);
  },
);

test('a notice without a form that is known is told by its likeness on several pages', async () => {
  await using opened = await openSite();
  const { site, lab } = opened;
  const notice = (name: string) =>
    `<title>Acme</title><h1>One moment</h1><p>Your turn is ${serial++}, ${name.length} of us work.</p>`;
  site.put(Object.fromEntries(['a', 'b', 'c'].map((name) => [`/${name}`, notice(name)])));
  const outcome = await lab.visit();
  expect(outcome).toMatchObject({ changes: 0 });
  site.put({ ...pages(), '/d': pageOf('Page d', 'It says that.') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
});

test('pages of figures that change together are told', async () => {
  await using site = await startLiveSite();
  const figures = (count: number) =>
    Object.fromEntries(
      NAMES.map((name, at) => [
        `/${name}`,
        `<title>Load</title><h1 id="load">Load</h1><p>Now ${count + at} percent.</p>`,
      ]),
    );
  site.put({ ...figures(10), '/sitemap.xml': sitemapOf(site.url) });
  await using lab = await openVisitLab({ id: 'docs', kind: 'site', url: site.url });
  await lab.visit();
  site.put(figures(40));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: NAMES.length });
});

test('a page that says for a day that it is not there is gone, and why is said', async () => {
  await using opened = await openSite();
  const { site, lab } = opened;
  site.put({ '/b': NOTICES['not found']() });
  expect(await lab.visit()).toMatchObject({ changes: 0, unread: 1 });
  lab.advance(DAY - 60_000);
  expect(await lab.visit()).toMatchObject({ changes: 0, unread: 1 });
  lab.advance(120_000);
  site.put({ '/b': NOTICES['not found']() });
  expect(await lab.visit()).toMatchObject({ changes: 1 });
  expect(lab.told(site.url)).toEqual(['delete /b']);
  expect(lab.log.at(-1)).toMatchObject({ action: 'delete', note: 'soft-404' });
});

test('a page that was back in between begins its day anew', async () => {
  await using opened = await openSite();
  const { site, lab } = opened;
  site.put({ '/b': NOTICES['not found']() });
  await lab.visit();
  site.put(pages());
  await lab.visit();
  lab.advance(DAY);
  site.put({ '/b': NOTICES['not found']() });
  expect(await lab.visit()).toMatchObject({ changes: 0, unread: 1 });
});

test('a single page that turns into a login is not read, and into a notice that it is gone, for a day, is gone', async () => {
  await using site = await startLiveSite({ '/terms': pageOf('Terms') });
  const url = `${site.url}terms`;
  await using lab = await openVisitLab({ id: 'terms', kind: 'page', urls: [url] });
  expect(await lab.visit()).toMatchObject({ changes: 1 });
  site.put({ '/terms': NOTICES.login() });
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0 });
  for (const days of [0, 2]) {
    lab.advance(days * DAY);
    site.put({ '/terms': NOTICES['not found']() });
    expect(await lab.visit()).toMatchObject({ changes: days === 0 ? 0 : 1 });
  }
  expect(lab.told(site.url)).toEqual(['create /terms', 'delete /terms']);
});

test('a challenge is no first page, a login may be', async () => {
  await using site = await startLiveSite({ '/a': NOTICES.challenge(), '/b': NOTICES.login(), '/c': pageOf('C') });
  await using lab = await openVisitLab({
    id: 'docs',
    kind: 'page',
    urls: ['a', 'b', 'c'].map((name) => site.url + name),
  });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2, unread: 1 });
  expect(lab.told(site.url)).toEqual(['create /b', 'create /c']);
});

test('a short page that carries a login, as every page of its site does, is edited like any other', async () => {
  const page = (text: string) => `<title>Hours</title><form><input type="password"></form><h1>Hours</h1><p>${text}</p>`;
  await using site = await startLiveSite({ '/hours': page('Open from nine.') });
  await using lab = await openVisitLab({ id: 'hours', kind: 'page', urls: [`${site.url}hours`] });
  await lab.visit();
  site.put({ '/hours': page('Open from ten.') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  site.put({ '/hours': page('Open from ten.').replaceAll('Hours', 'Opening hours') });
  expect(await lab.visit()).toMatchObject({ changes: 1 });
});

test('a new page is taken for a notice when it reads like what stands in place of others', async () => {
  await using opened = await openSite();
  const { site, lab } = opened;
  const news = '<title>Acme</title><h1>Friday</h1><p>Scheduled maintenance on Friday.</p>';
  const listed = (...more: string[]) =>
    sitemapOf(site.url).replace(
      '</urlset>',
      `${more.map((name) => `<url><loc>${site.url}${name}</loc></url>`).join('')}</urlset>`,
    );
  site.put({ '/news': news, '/sitemap.xml': listed('news') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  site.put({ '/b': NOTICES.maintenance(), '/new': NOTICES.maintenance(), '/sitemap.xml': listed('news', 'new') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, unread: 2 });
  site.put({ ...pages(), '/new': pageOf('New') });
  await lab.visit();
  expect(lab.told(site.url)).toEqual(['create /news', 'create /new']);
});

test('a page that is gone for good does not come back as the notice that it is gone', async () => {
  await using opened = await openSite();
  const { site, lab } = opened;
  for (let look = 0; look < 6; look += 1) {
    site.put({ '/b': NOTICES['not found']() });
    await lab.visit();
    lab.advance(DAY);
  }
  expect(lab.told(site.url)).toEqual(['delete /b']);
});
