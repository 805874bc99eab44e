import { expect, test } from 'vitest';
import { htmlPage, temporaryFolder } from '../../test/support/site.ts';
import { publish } from './publish.ts';

const SITE = 'https://docs.example/';
const page = (title: string) => htmlPage(title, [{ id: 'a', heading: 'A', text: `What ${title} says.` }]);
const HOME = { 'index.html': page('Home') };
const redirectTo = (url: string) =>
  `<!doctype html><meta http-equiv="refresh" content="0; url=${url}"><title>Moved</title>`;

async function notesOf(before: Record<string, string>, after: Record<string, string>): Promise<string[]> {
  using site = temporaryFolder();
  const options = { dir: site.path, site: SITE, allowDeletes: true };
  site.write({ ...HOME, ...before });
  await publish(options);
  for (const name of Object.keys(before)) site.remove(name);
  site.write(after);
  const { changes } = await publish(options);
  const log = site
    .read('.well-known/tidings/log.ndjson')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(
    log.filter(({ action, excerpt }) => action === 'create' && excerpt === undefined),
    'excerpts stay',
  ).toEqual([]);
  return changes.map(({ action, url, note }) => `${action} ${url.slice(SITE.length)} ${note}`);
}

test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
  [
    'the same content elsewhere',
    { 'old.html': page('Limits') },
    { 'new.html': page('Limits') },
    [`create new.html new-page; moved-from=${SITE}old.html`, `delete old.html moved-to=${SITE}new.html`],
  ],
  [
    'a redirect to other content',
    { 'old.html': page('Limits') },
    { 'new.html': page('Rates'), 'old.html': redirectTo('/new.html') },
    [`create new.html new-page; moved-from=${SITE}old.html`, `delete old.html moved-to=${SITE}new.html`],
  ],
  [
    'other content without a redirect',
    { 'old.html': page('Limits') },
    { 'new.html': page('Rates') },
    ['create new.html new-page', 'delete old.html undefined'],
  ],
  [
    'two that said the same',
    { 'a.html': page('Soon'), 'b.html': page('Soon') },
    { 'c.html': page('Soon') },
    ['create c.html new-page', 'delete a.html undefined', 'delete b.html undefined'],
  ],
  [
    'two that say the same now',
    { 'a.html': page('Soon') },
    { 'b.html': page('Soon'), 'c.html': page('Soon') },
    ['create b.html new-page', 'create c.html new-page', 'delete a.html undefined'],
  ],
  [
    'what another page says too',
    { 'a.html': page('Home') },
    { 'b.html': page('Home') },
    ['create b.html new-page', 'delete a.html undefined'],
  ],
  [
    'two that lead to one',
    { 'a.html': page('A'), 'b.html': page('B') },
    { 'a.html': redirectTo('/c.html'), 'b.html': redirectTo('/c.html'), 'c.html': page('C') },
    ['create c.html new-page', 'delete a.html undefined', 'delete b.html undefined'],
  ],
])('a page that moved is a linked pair, where that is sure: %s', async (_, before, after, told) => {
  expect(await notesOf(before, after)).toEqual(told);
});
