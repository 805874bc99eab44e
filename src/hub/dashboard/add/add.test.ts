import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { linking, pageOf, sitemapOf, startLiveSite } from '../../../../test/support/live-site.ts';
import { openPreviewLab } from '../../../../test/support/preview-lab.ts';
import { WITHOUT_KEYS } from '../../../../test/support/source-parts.ts';
import { decodeSource } from '../../config/decode-source.ts';
import type { Route } from '../../http/route.ts';
import { previewRoute } from '../../routes/preview-route.ts';
import { sourceRoutes } from '../../routes/source-routes.ts';
import type { Role } from '../../sign-in/viewer.ts';
import { doneWords, formRoutes } from '../form.ts';
import { createFramer } from '../page-frame.ts';
import { viewRoutes } from '../view.ts';
import { ADD_FORMS } from './add-forms.ts';
import { addView } from './add-view.ts';

const TOKEN = 'form-token';
const NEVER = () => new AbortController().signal;

/** The page and what stands behind it, for somebody with this role. */
async function openAddLab(role: Role | 'nobody' = 'operate') {
  const { previewer, watch, ...lab } = await openPreviewLab();
  const viewer = role === 'nobody' ? {} : { role, name: 'ann', formToken: TOKEN };
  const frame = createFramer({ style: 's', script: 's', icon: 'i', doneWords: doneWords(ADD_FORMS), canSignIn: true });
  const viewers = { viewerOf: () => viewer };
  const api: Route[] = [
    ...sourceRoutes({
      ...WITHOUT_KEYS,
      watch,
      news: { lastChangeIdOf: () => undefined, standingOf: () => undefined },
      decodeSource: (value, at) => decodeSource(value, { allowPrivate: true, dialects: ['aicf', 'atom'], at }),
      now: () => 0,
      deadline: NEVER,
    }),
    previewRoute(previewer),
  ];
  const routes = [
    ...viewRoutes([addView(previewer)], { viewers, frame }),
    ...formRoutes(ADD_FORMS, { viewers, frame, routes: () => api }),
  ];
  const send = (path: string, fields: Readonly<Record<string, string | readonly string[]>>, token = TOKEN) => {
    const pairs = Object.entries(fields).flatMap(([name, values]) =>
      (typeof values === 'string' ? [values] : values).map((value): [string, string] => [name, value]),
    );
    const body = new TextEncoder().encode(String(new URLSearchParams([['form_token', token], ...pairs])));
    return callRoute(routes, `POST ${path}`, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  };
  const open = (query: Record<string, string> = {}) => callRoute(routes, `GET /add?${new URLSearchParams(query)}`);
  return { routes, watch, open, send, ...lab };
}

const PAGE = `<!doctype html><title>Docs</title><body><nav class="toc"><a href="/a">A</a></nav>
<main><h1 id="top">Words</h1><p>The first paragraph.</p><aside class="promo">Buy <b>one</b>, get one.</aside>
<div class="stamp">Built at noon.</div><h2 id="b">More</h2><p>The second.</p></main></body>`;

test('who may not add sources does not get the page, nor does a form without its token work', async () => {
  await using nobody = await openAddLab('nobody');
  expect(await nobody.open()).toMatchObject({ status: 303, headers: { location: './sign-in?to=add' } });
  await using reader = await openAddLab('read');
  expect((await reader.open()).status).toBe(403);
  await using lab = await openAddLab();
  expect((await lab.send('/add/watch', { id: 'x' }, 'wrong')).status).toBe(403);
  expect((await reader.send('/add/watch', { id: 'x' })).status).toBe(403);
  expect(lab.watch.sources()).toEqual([]);
});

test('the page begins with an address, and with a list', async () => {
  await using lab = await openAddLab();
  const page = textOf(await lab.open());
  expect(page).toContain('<form class="fields" method="get" action="./add" data-reading>');
  expect(page).toContain('<textarea id="list" name="list"');
  expect(page).toContain('aria-current="page">Add a source</a>');
});

test('an address is looked at: what was found, what it costs, pages with their blocks, and a setting', async () => {
  await using site = await startLiveSite({ '/': PAGE, '/a': pageOf('A') });
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a']) });
  await using lab = await openAddLab();
  const page = textOf(await lab.open({ url: site.url }));
  expect(page).toContain('It will be followed by <b><bdi>sitemap</bdi></b>');
  expect(page).toContain('It lets the pages be read.');
  expect(page).toContain('One look asks for 2 pages that 1 sitemap names: 1 + 2 = 3 requests.');
  expect(page).toContain('<b><bdi>More</bdi></b> <code class="faint">#<bdi>b</bdi></code>');
  expect(page).toContain('<pre class="said"><bdi>The first paragraph.</bdi>');
  expect(page).toMatch(/<li class="" data-rule="aside\.promo"><label for="block-\d+"><input type="checkbox"/);
  expect(page).toMatch(/<li class="frame"><b class="tag"><bdi>nav/);
  expect(page).toMatch(/<input id="id" name="id" value="127_0_0_1_\d+" required>/);
  expect(page).not.toContain('<b>one</b>');
  const facts = jsonOf(await callRoute(lab.routes, `GET /api/v1/views/add?url=${encodeURIComponent(site.url)}`));
  expect(facts.preview.source).toMatchObject({ kind: 'auto', url: site.url });
});

test('without a script: what is ticked is left out, and stays ticked', async () => {
  await using site = await startLiveSite({ '/': PAGE });
  await using lab = await openAddLab();
  const answer = await lab.send('/add/preview', {
    url: site.url,
    ignore: ['aside.promo'],
    rules: '.stamp\r\n\r\n/log/**\r\n',
    id: 'mine',
    title: 'Mine',
    interval: '600',
  });
  expect(answer.status).toBe(200);
  const page = textOf(answer);
  expect(page).toContain('name="ignore" value="aside.promo" checked>');
  expect(page).toMatch(/<li class="rule" data-rule="div\.stamp">.*a rule leaves it out/);
  expect(page).toContain('>.stamp\n/log/**</textarea>');
  expect(page).toContain('<pre class="said"><bdi>The first paragraph.</bdi>\n</pre>');
  expect(page).toContain('<input id="id" name="id" value="mine"');
  expect(page).toContain('name="title" value="Mine"');
  expect(page).toContain('name="interval" value="600"');
});

test('of what is watched as a feed nothing can be left out', async () => {
  await using site = await startLiveSite({
    '/feed.xml': { status: 200, headers: { 'content-type': 'text/html' }, body: PAGE },
  });
  await using lab = await openAddLab();
  const page = textOf(await lab.open({ url: `${site.url}feed.xml` }));
  expect(page).toContain('It is watched as a feed');
  expect(page).not.toContain('type="checkbox"');
});

test('what is watched is what was shown', async () => {
  await using site = await startLiveSite({ '/': PAGE });
  await using lab = await openAddLab();
  const place = JSON.stringify({ kind: 'auto', url: site.url });
  const fields = { url: site.url, place, title: 'Mine', interval: '600', ignore: ['aside.promo', '#x'], rules: '#x' };
  const answer = await lab.send('/add/watch', { ...fields, id: 'mine' });
  expect(answer).toMatchObject({ status: 303, headers: { location: '../sources/mine?done=add-watch' } });
  expect(lab.watch.source('mine')?.config).toEqual({
    id: 'mine',
    kind: 'auto',
    url: site.url,
    title: 'Mine',
    intervalSeconds: 600,
    ignore: ['aside.promo', '#x'],
  });
});

test.each([
  ['id', { id: 'Not One' }, 'id'],
  ['id', { id: '' }, 'id'],
  ['interval', { interval: 'often' }, 'interval'],
  ['title', { title: 'x'.repeat(500) }, 'title'],
  ['rules', { rules: 'a:hover' }, 'rules'],
  ['only', { only: 'html' }, 'only'],
])('what is wrong stands beside its field: %s', async (_, wrong, field) => {
  await using lab = await openAddLab();
  const place = JSON.stringify({ kind: 'auto', url: 'https://docs.example/' });
  const answer = await lab.send('/add/watch', { url: 'https://docs.example/', place, id: 'docs', ...wrong });
  expect(answer.status).toBe(400);
  const page = textOf(answer);
  expect(page).toContain(`aria-describedby="${field}-problem"`);
  expect(page.match(/role="alert"/g)).toHaveLength(1);
  expect(page).toContain('value="https://docs.example/"');
  expect(lab.watch.sources()).toEqual([]);
});

test('an id that is taken stands beside the field of the id; other problems stand above', async () => {
  await using lab = await openAddLab();
  const place = JSON.stringify({ kind: 'auto', url: 'https://docs.example/' });
  await lab.send('/add/watch', { place, id: 'docs' });
  const taken = await lab.send('/add/watch', { place, id: 'docs' });
  expect([taken.status, textOf(taken).includes('id="id-problem"')]).toEqual([409, true]);
  for (const broken of ['', '[', '"x"', '{"kind":"folder","path":"/etc","site":"https://x.example/"}']) {
    const answer = await lab.send('/add/watch', { place: broken, id: 'other' });
    expect([answer.status, textOf(answer).includes('id="form-problem"')]).toEqual([400, true]);
  }
});

test.each([
  ['127.0.0.1:1', 'https://127.0.0.1:1'],
  ['127.0.0.1:1/a#top', 'https://127.0.0.1:1/a'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['ftp://docs.example/', 'ftp://docs.example/'],
  ['https://a:b@docs.example/', 'https://a:b@docs.example/'],
  ['"><script>alert(1)</script>', 'https://&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'],
])('an address like %s is taken or refused in words', async (given, shown) => {
  await using lab = await openAddLab();
  const answer = await lab.open({ url: given });
  expect(answer.status).toBe(200);
  expect(textOf(answer)).toContain(`value="${shown}"`);
  expect(textOf(answer)).not.toMatch(/<script(?! src=)/);
});

test('a list is shown before it is added', async () => {
  await using lab = await openAddLab();
  const list = 'https://a.example/\nhttps://b.example/feed.xml\tblog\n';
  const plan = textOf(await lab.send('/add/list', { list }));
  expect(plan).toContain('2 sources would be added.');
  expect(plan).toContain('<td><code><bdi>blog</bdi></code></td><td data-label="kind">feed</td>');
  expect(lab.watch.sources()).toEqual([]);
  expect(await lab.send('/add/import', { list })).toMatchObject({ status: 303 });
  expect(lab.watch.sources().map(({ config }) => config.id)).toEqual(['a_example', 'blog']);
  const again = textOf(await lab.send('/add/list', { list }));
  expect(again).toContain('0 sources would be added. 2 sources in the list are watched already.');
  const wrong = await lab.send('/add/list', { list: '<opml><body>' });
  expect([wrong.status, textOf(wrong).includes('id="list-problem"')]).toEqual([400, true]);
  expect(textOf(wrong)).toContain('&lt;opml&gt;&lt;body&gt;</textarea>');
});

test('whatever a page says or is called, it is shown and never run', async () => {
  const bad = '"><img src=x onerror=alert(1)><script>alert(1)</script>\u202E';
  const text = bad.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const name = text.replaceAll('"', '&quot;');
  const attributes = `id="${name}" class="${name} a'b" role="${name}"`;
  const hostile = `<title>${text}</title><main><h1 id="${name}">${text}</h1><div ${attributes}>${text}</div>
<x-${bad}>odd</x-><pre>${text}</pre></main>`;
  await using site = await startLiveSite({
    '/': linking('x', '/a').replace(/<main>[\s\S]*/, hostile),
    '/a': pageOf(bad),
  });
  site.put({
    '/robots.txt': `User-agent: *\nContent-Signal: ${bad}\n`,
    '/sitemap.xml': sitemapOf(site.url, ['', 'a']),
  });
  await using lab = await openAddLab();
  const first = textOf(await lab.open({ url: site.url }));
  const again = textOf(await lab.send('/add/preview', { url: site.url, rules: '.x', title: bad, id: bad }));
  const refused = textOf(await lab.send('/add/watch', { url: bad, place: bad, id: bad, title: bad, rules: bad }));
  const plan = `<opml><body><outline text="${name}" type="site" htmlUrl="https://x.example/${name}"/></body></opml>`;
  const planned = textOf(await lab.send('/add/list', { list: plan }));
  for (const page of [first, again, refused, planned]) {
    expect(page).not.toMatch(/<img|<script(?! src="[^"]*" defer)|\sonerror=alert\(1\)>(?!<\/)/i);
    expect(page).not.toContain('\u202E</b');
  }
  expect(first).toContain('&lt;img src=x onerror=alert(1)&gt;');
});

test('a page of many blocks is shown in part, and says so', async () => {
  const many = '<section class="part"><h2>Part</h2><p>Text.</p></section>'.repeat(2000);
  await using site = await startLiveSite({ '/': `<title>Many</title><main>${many}</main>` });
  await using lab = await openAddLab();
  const page = textOf(await lab.open({ url: site.url }));
  expect(page).toContain('5,801 smaller blocks inside of these');
  expect(page.match(/type="checkbox"/g)?.length).toBe(2);
  expect(page.length).toBeLessThan(200_000);
});
