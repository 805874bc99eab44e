import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { startLiveSite } from '../../../test/support/live-site.ts';
import { htmlPage } from '../../../test/support/site.ts';
import { explainChanges } from '../../doors/why.ts';

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const TEXT = 'It is said at some length, and stays.';

const page = (readers: string, edit = 'It says this.') =>
  htmlPage('Guide', [
    { id: 'start', heading: 'Start', text: `${TEXT}</p><p class="readers">Read by ${readers} people</p><p>${TEXT}` },
    { id: 'limits', heading: 'Limits', text: edit },
    { id: 'end', heading: 'End', text: TEXT },
  ]);

test('a block that is different at each look is held back, listed, and told when it has been still', async () => {
  await using site = await startLiveSite({ '/guide': page('no') });
  await using lab = await openVisitLab({ id: 'docs', kind: 'page', urls: [new URL('guide', site.url).href] });
  await lab.visit();
  lab.told(site.url);
  const heard: string[] = [];
  for (const [at, word] of WORDS.entries()) {
    const edits = at < 5 ? 'It says this.' : at < 9 ? 'It was edited.' : 'It was edited, and better.';
    site.put({ '/guide': page(word, edits) });
    await lab.visit();
    heard.push(lab.told(site.url).join());
  }
  const [START, LIMITS] = ['update /guide#start', 'update /guide#limits'];
  expect(heard).toEqual([START, START, '', '', '', LIMITS, '', '', '', LIMITS]);

  const outcome = await lab.visit();
  expect(outcome).toMatchObject({
    volatile: [{ where: 'p.readers', url: new URL('guide', site.url).href, changed: 10, looks: 11 }],
    notes: [expect.stringContaining('volatile: p.readers changes at most looks')],
  });
  const [why] = await explainChanges(new URL('guide#limits', site.url).href, lab.folder);
  expect(why).toMatchObject({ volatile: [{ where: 'p.readers', changed: 10 }] });

  const later: string[][] = [];
  for (let look = 0; look < 14; look += 1) {
    await lab.visit();
    later.push(lab.told(site.url));
  }
  expect(later.flat()).toEqual([START]);
  expect(await lab.visit()).not.toHaveProperty('volatile');
});

test('a page that goes to and fro between two texts is told once, and a third text is told', async () => {
  const version = (name: string) =>
    htmlPage('Guide', [
      { id: 'start', heading: 'Start', text: `The ${name} beginning of it.` },
      { id: 'limits', heading: 'Limits', text: `The ${name} limits of it.` },
      { id: 'end', heading: 'End', text: `The ${name} end of it.` },
    ]);
  await using site = await startLiveSite({ '/guide': version('first') });
  await using lab = await openVisitLab({ id: 'docs', kind: 'page', urls: [new URL('guide', site.url).href] });
  await lab.visit();
  lab.told(site.url);
  const heard: string[] = [];
  for (const name of ['other', 'first', 'other', 'first', 'third', 'first', 'third']) {
    site.put({ '/guide': version(name) });
    const outcome = await lab.visit();
    heard.push(lab.told(site.url).join());
    if (heard.length === 4) expect(outcome).toMatchObject({ unstable: [new URL('guide', site.url).href] });
  }
  expect(heard).toEqual(['update /guide', '', '', '', 'update /guide', '', '']);
});
