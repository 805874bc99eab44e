import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { pageOf, startLiveSite } from '../../../test/support/live-site.ts';
import { htmlPage } from '../../../test/support/site.ts';

const HOUR = 60 * 60 * 1000;
const SHELL = '<!doctype html><title>Docs</title><body><div id="root"><p>Loading…</p></div></body></html>';
const CUT = pageOf('Terms').slice(0, pageOf('Terms').indexOf('<h2 id="three">'));

async function openPage() {
  const site = await startLiveSite({ '/terms': pageOf('Terms') });
  const lab = await openVisitLab({ id: 'terms', kind: 'page', urls: [`${site.url}terms`] });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
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

test.each([
  ['a few other words in place of a page', SHELL],
  ['a page whose end is missing', CUT],
])('%s: no change while it may pass, and none when it has passed', async (_, html) => {
  await using opened = await openPage();
  const { site, lab } = opened;
  for (let look = 0; look < 3; look += 1) {
    lab.advance(6 * HOUR);
    site.put({ '/terms': html });
    expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0 });
  }
  site.put({ '/terms': pageOf('Terms') });
  lab.advance(6 * HOUR);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  // The day begins anew.
  site.put({ '/terms': html });
  lab.advance(24 * HOUR);
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0 });
  expect(lab.told(site.url)).toEqual([]);
});

test.each([
  ['a few other words', SHELL],
  ['a page without its end', CUT],
])('%s: believed when it stays for a day, and told once', async (_, html) => {
  await using opened = await openPage();
  const { site, lab } = opened;
  site.put({ '/terms': html });
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0 });
  lab.advance(24 * HOUR);
  await lab.visit();
  expect(lab.told(site.url)).toEqual(['update /terms']);
  expect(lab.log.at(-1)?.provenance).toMatchObject({ before: expect.any(String), after: expect.any(String) });
  lab.advance(HOUR);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  site.put({ '/terms': pageOf('Terms', 'It says that.') });
  await lab.visit();
  expect(lab.told(site.url)).not.toEqual([]);
});

test('with leave to believe it, a page of a few other words is told at once', async () => {
  await using opened = await openPage();
  const { site, lab } = opened;
  site.put({ '/terms': SHELL });
  expect(await lab.visit({ allowDeletes: true })).toMatchObject({ is: 'read', changes: 1 });
});

test('a section that is taken off the end of a whole page is told at once', async () => {
  await using opened = await openPage();
  const { site, lab } = opened;
  site.put({ '/terms': `${CUT}</main></body></html>` });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
});

test('pages that all say the same few words are not believed, however long', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const whole = Object.fromEntries(names.map((name) => [`/${name}`, pageOf(`Page ${name}`)]));
  await using site = await startLiveSite(whole);
  await using lab = await openVisitLab({ id: 'docs', kind: 'page', urls: names.map((name) => site.url + name) });
  await lab.visit();
  lab.told(site.url);
  for (let day = 0; day < 4; day += 1) {
    for (const name of names.slice(1)) site.put({ [`/${name}`]: SHELL });
    expect(await lab.visit()).toMatchObject({
      is: 'failed',
      changes: 0,
      error: { message: expect.stringContaining('3 of 4') },
    });
    lab.advance(24 * HOUR);
  }
  site.put(whole);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  expect(lab.told(site.url)).toEqual([]);
});

test('a page that goes to and fro between two texts is not told, and what is edited on it is', async () => {
  const parts = (words: string, edited = '') =>
    `<title>T</title><main><h1>T</h1>${Array.from({ length: 10 }, (_, at) => `<h2 id="s${at}">Part ${at}</h2><p>${words} ${at}.${at === 3 ? edited : ''}</p>`).join('')}</main></body></html>`;
  await using site = await startLiveSite({ '/terms': parts('It says this') });
  await using lab = await openVisitLab({ id: 'terms', kind: 'page', urls: [`${site.url}terms`] });
  await lab.visit();
  lab.told(site.url);
  for (const [words, edited] of [
    ['Sie sagt das'],
    ['It says this'],
    ['Sie sagt das', ' Neu.'],
    ['It says this', ' New.'],
  ] as const) {
    site.put({ '/terms': parts(words, edited) });
    lab.advance(6 * HOUR);
    await lab.visit();
  }
  expect(lab.told(site.url)).toEqual(['update /terms#s3']);
  site.put({ '/terms': parts('Sie sagt das') });
  await lab.visit();
  lab.advance(71 * HOUR);
  await lab.visit();
  expect(lab.told(site.url), 'whoever went to and fro may stay a while by chance').toEqual([]);
  lab.advance(HOUR);
  await lab.visit();
  expect(lab.told(site.url)).toEqual(['update /terms']);
});

test('a page that was never another one before is believed after a day', async () => {
  const parts = (words: string) =>
    `<title>T</title><main><h1>T</h1>${Array.from({ length: 10 }, (_, at) => `<h2 id="s${at}">Part ${at}</h2><p>${words} ${at}.</p>`).join('')}</main></body></html>`;
  await using site = await startLiveSite({ '/terms': parts('It says this') });
  await using lab = await openVisitLab({ id: 'terms', kind: 'page', urls: [`${site.url}terms`] });
  await lab.visit();
  lab.told(site.url);
  site.put({ '/terms': parts('Sie sagt das') });
  await lab.visit();
  lab.advance(24 * HOUR);
  await lab.visit();
  expect(lab.told(site.url)).toEqual(['update /terms']);
});

test('a page that was first seen without its text: what stands in place of others later is no text of theirs', async () => {
  const names = ['a', 'b', 'c'];
  const whole = Object.fromEntries(names.map((name) => [`/${name}`, pageOf(`Page ${name}`)]));
  await using site = await startLiveSite({ ...whole, '/a': SHELL });
  await using lab = await openVisitLab({ id: 'docs', kind: 'page', urls: names.map((name) => site.url + name) });
  await lab.visit();
  lab.told(site.url);
  site.put(whole);
  await lab.visit();
  expect(lab.told(site.url)).toEqual(['update /a']);
  for (const name of names) {
    site.put({ ...whole, [`/${name}`]: SHELL });
    lab.advance(6 * HOUR);
    await lab.visit();
  }
  site.put({ ...whole, '/b': pageOf('Page b', 'It says that.') });
  lab.advance(6 * HOUR);
  await lab.visit();
  expect(lab.told(site.url)).toEqual(['update /b#one']);
});

test('a page that is another one waits while more of the source begin to be others, for three days at most', async () => {
  const textOf = (name: string, words: string) =>
    `<title>${name}</title><main><h1>${name}</h1>${Array.from({ length: 10 }, (_, at) => `<h2 id="s${at}">Part ${at}</h2><p>${words} ${at} of ${name}.</p>`).join('')}</main></body></html>`;
  const names = ['a', 'b', 'c', 'd'];
  const show = (others: readonly string[]) =>
    site.put(
      Object.fromEntries(
        names.map((name) => [`/${name}`, textOf(name, others.includes(name) ? 'Sie sagt das' : 'It says this')]),
      ),
    );
  await using site = await startLiveSite();
  show([]);
  await using lab = await openVisitLab({ id: 'docs', kind: 'page', urls: names.map((name) => site.url + name) });
  await lab.visit();
  lab.told(site.url);
  const lookAt = async (others: readonly string[]) => {
    show(others);
    lab.advance(24 * HOUR);
    await lab.visit();
    return lab.told(site.url);
  };
  expect(await lookAt(['a', 'c'])).toEqual([]);
  expect(await lookAt(['a', 'b']), 'a is another one for a day, b since now').toEqual([]);
  expect(await lookAt(['a', 'd']), 'for two days').toEqual([]);
  expect(await lookAt(['a', 'c']), 'for three days').toEqual(['update /a']);
  expect(await lookAt(['a', 'c']), 'nobody else begins, but c was another one before').toEqual([]);
  expect(await lookAt(['a', 'c'])).toEqual([]);
  expect(await lookAt(['a', 'c']), 'for three days').toEqual(['update /c']);
});

test('a page that was first seen without its end is told once when it is whole', async () => {
  const part = (id: string) => ({ id, heading: `Part ${id}`, text: `What ${id} says.` });
  const whole = htmlPage('Terms', ['one', 'two', 'three', 'four', 'five', 'six'].map(part));
  await using site = await startLiveSite({ '/terms': whole.slice(0, whole.indexOf('<h2 id="five">')) });
  await using lab = await openVisitLab({ id: 'terms', kind: 'page', urls: [`${site.url}terms`] });
  await lab.visit();
  site.put({ '/terms': whole });
  await lab.visit();
  expect(lab.told(site.url)).toEqual(['create /terms', 'update /terms']);
  expect(lab.log.at(-1)?.note).toBe('completed; sections added=five,six');
  site.put({ '/terms': whole.replace('What six says.', 'What six says now.') });
  await lab.visit();
  expect(lab.told(site.url)).toEqual(['update /terms#six']);
});
