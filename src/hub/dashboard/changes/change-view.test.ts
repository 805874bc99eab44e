import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { openChangesLab, routesOfViews, type Store } from '../../../../test/support/changes-lab.ts';
import { FakeWatch, siteConfig, watchedSource } from '../../../../test/support/fake-watch.ts';
import { matchesSchema } from '../../../../test/support/json-schema.ts';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import { NOT_FROM_THE_LOG, shelfOf, type WrittenEvent } from '../../../dialects/shelf.ts';
import type { ChangeDraft } from '../../../model/change.ts';
import { HubShelves } from '../../shelves/hub-shelves.ts';
import { changeView } from './change-view.ts';

const BEFORE = '# Limits\n\nIntro.\n\n## Tiers\n\nEach key may ask 60 times a minute.\n\n## Prices\n\n19\n';
const AFTER = '# Limits\n\nIntro.\n\n## Tiers\n\nEach key may ask 120 times a minute.\n\n## Prices\n\n19\n';

function routesOf(store: Store, eventOf: (id: string) => WrittenEvent | undefined = () => undefined) {
  const shelf = shelfOf(NOT_FROM_THE_LOG, { routes: () => [], eventOf: ({ id }) => eventOf(id) });
  const watch = new FakeWatch([watchedSource({ ...siteConfig('docs'), title: 'The docs' })]);
  const archives = { holding: async () => ({ name: 'changes-1-2.ndjson.gz', firstSeq: 1, lastSeq: 2, bytes: 9 }) };
  return routesOfViews(
    changeView({ store, shelves: new HubShelves([{ dialect: 'made-up', shelf }]), watch, archives }),
  );
}

test('words are marked side by side, inline, and the text can be read as it is meant', async () => {
  await using lab = await openChangesLab();
  await lab.say(BEFORE, { action: 'create' });
  const { id } = await lab.say(AFTER, { anchor: 'tiers', title: 'Limits', heading: 'Tiers' });
  const routes = routesOf(lab.store);
  const page = async (query = '') => textOf(await callRoute(routes, `GET /changes/${id}${query}`));
  const side = await page();
  expect(side).toContain('<h1><bdi>Limits › Tiers</bdi></h1>');
  expect(side).toContain('<td dir="auto" data-label="Before">Each key may ask <del>60</del> times a minute.</td>');
  expect(side).toContain('<td dir="auto" data-label="After">Each key may ask <ins>120</ins> times a minute.</td>');
  expect(side).toContain(`<a href="../changes/${id}?look=rendered">As it reads</a>`);
  expect(side).toContain(`<a href="../changes/${id}" aria-current="true">Side by side</a>`);
  expect(await page('?look=inline')).toContain('Each key may ask <del>60</del><ins>120</ins> times a minute.');
  const rendered = await page('?look=rendered');
  expect(rendered).toContain('<h3>Tiers</h3>\n<p>Each key may ask <del>60</del> times a minute.</p>');
  expect(rendered).toContain('<h3>Tiers</h3>\n<p>Each key may ask <ins>120</ins> times a minute.</p>');
  expect(rendered).not.toContain('<p>19</p>');
  expect((await callRoute(routes, `GET /changes/${id}?look=odd`)).status).toBe(400);
});

test('the API gives the words, not HTML, and what its schema says', async () => {
  await using lab = await openChangesLab();
  await lab.say(BEFORE, { action: 'create' });
  const { id } = await lab.say(AFTER, { anchor: 'tiers' });
  const facts = jsonOf(await callRoute(routesOf(lab.store), `GET /api/v1/views/changes/${id}`));
  const { schema } = changeView({} as Parameters<typeof changeView>[0]);
  expect(matchesSchema(schema, facts)).toBe(true);
  expect(facts.text.diff.hunks[0].rows).toContainEqual({
    is: 'edited',
    words: [
      { is: 'same', text: 'Each key may ask ' },
      { is: 'old', text: '60' },
      { is: 'new', text: '120' },
      { is: 'same', text: ' times a minute.' },
    ],
  });
  expect(facts).toMatchObject({
    change: { id, boundary: 'https://docs.example/limits#tiers' },
    text: { scope: 'section' },
  });
});

test('its place in the log: its run, and what stands before and behind it', async () => {
  await using lab = await openChangesLab();
  const [first] = await lab.commit([{ url: 'https://docs.example/a', title: 'First' }]);
  const [one, two] = await lab.commit([{ anchor: 'one' }, { anchor: 'two' }]);
  const [last] = await lab.commit([{ url: 'https://blog.example/b' }], [], 'blog');
  const routes = routesOf(lab.store);
  const html = textOf(await callRoute(routes, `GET /changes/${one?.id}`));
  expect(html).toContain('It came together with 1 other change of its source.');
  expect(html).toContain(`<a href="../changes/${first?.id}"><bdi>First</bdi></a>`);
  expect(html).toContain(`<a href="../changes/${two?.id}">`);
  expect(html).toContain('timeline?source=docs&amp;url=https%3A%2F%2Fdocs.example%2Flimits&amp;anchor=one');
  expect(textOf(await callRoute(routes, `GET /changes/${first?.id}`))).toContain('the log begins here');
  expect(textOf(await callRoute(routes, `GET /changes/${last?.id}`))).toContain('it is the newest');
});

test('a long run is told by the part of it that was looked at', async () => {
  await using lab = await openChangesLab();
  const many = await lab.commit(Array.from({ length: 300 }, (_, index) => ({ anchor: `s${index}` })));
  const facts = jsonOf(await callRoute(routesOf(lab.store), `GET /api/v1/views/changes/${many[150]?.id}`));
  expect(facts.log.run).toEqual({ changes: 101, isMore: true });
});

test('how it was learned, in words', async () => {
  await using lab = await openChangesLab();
  const learned = async (draft: Partial<ChangeDraft>) => {
    const [change] = await lab.commit([draft]);
    return textOf(await callRoute(routesOf(lab.store), `GET /changes/${change?.id}`));
  };
  const html = await learned({
    claimedTime: '2026-02-28T10:00:00Z',
    note: 'many-sections; sections changed=a,b more=3',
    risk: 0.7,
    riskReasons: ['hidden-text', 'asks-models'],
    uses: { 'ai-train': 'no', search: 'yes' },
    provenance: { by: 'aicf', originId: 'evt-17', via: `${'A'.repeat(20)} ${'B'.repeat(20)}`, claimed: '2026-02' },
  });
  expect(html).toContain('A feed of the source said so: <bdi>aicf</bdi>.');
  expect(html).toContain('<dd><bdi>evt-17</bdi></dd>');
  expect(html).toContain('2 hubs, first to last: <bdi>AAAAAAAAAAAAAAAAAAAA, BBBBBBBBBBBBBBBBBBBB</bdi>');
  expect(html).toMatch(/<dt>Happened at<\/dt><dd><time datetime="2026-02-28T10:00:00Z"/);
  expect(html).toContain('At least half of its sections are others.');
  expect(html).toContain('Sections changed: a, b; and 3 more.');
  expect(html).toContain('Risk 70 of 100: <bdi>hidden-text, asks-models</bdi>.');
  expect(html).toContain('search: yes, training of models: no');
  expect(html).toContain('The feed says that it changed, not how: the page itself was not compared.');
});

test('texts that are not kept are said to be so, and what the log itself remembers is shown', async () => {
  await using lab = await openChangesLab();
  const provenance = { by: 'compare', before: `sha256:${'0'.repeat(64)}`, after: `sha256:${'1'.repeat(64)}` };
  const [change] = await lab.commit([
    { anchor: 'tiers', before: 'It was <b>60</b>.', excerpt: 'It is 120.', provenance },
  ]);
  const html = textOf(await callRoute(routesOf(lab.store), `GET /changes/${change?.id}`));
  expect(html).toContain('The texts are no longer kept: retention.snapshots says how long they are.');
  expect(html).toContain('<blockquote class="record" dir="auto">It was &lt;b&gt;60&lt;/b&gt;.</blockquote>');
  expect(html).toContain('It is 120.');
});

test('what came and what went is shown whole', async () => {
  await using lab = await openChangesLab();
  const came = await lab.say('# New\n\nAll of this.', { action: 'create' });
  const routes = routesOf(lab.store);
  const html = textOf(await callRoute(routes, `GET /changes/${came.id}`));
  expect(html).toContain('All of it is new.');
  expect(html).toContain('<ins># New\n\nAll of this.</ins>');
  const [went] = await lab.commit([
    { action: 'delete', provenance: { by: 'compare', before: String(came.provenance.after) } },
  ]);
  expect(textOf(await callRoute(routes, `GET /changes/${went?.id}`))).toContain('<del># New\n\nAll of this.</del>');
});

test('its event stands as each dialect wrote it, with where', async () => {
  await using lab = await openChangesLab();
  const { id } = await lab.say(BEFORE);
  const event = {
    words: 'Made-up <line>',
    path: 'made/docs.up',
    mediaType: 'text/x',
    text: `{"id":"${id}","x":"<script>"}\n`,
  };
  const routes = routesOf(lab.store, () => event);
  const html = textOf(await callRoute(routes, `GET /changes/${id}`));
  expect(html).toContain('<h3><bdi>Made-up &lt;line&gt;</bdi></h3>');
  expect(html).toContain('<a href="../made/docs.up">');
  expect(html).toContain(`{&quot;id&quot;:&quot;${id}&quot;,&quot;x&quot;:&quot;&lt;script&gt;&quot;}\n</code></pre>`);
  const { events } = jsonOf(await callRoute(routes, `GET /api/v1/views/changes/${id}`));
  expect(events).toEqual([{ dialect: 'made-up', ...event }]);
  const long = routesOf(lab.store, () => ({ ...event, text: 'x'.repeat(100_000) }));
  expect(textOf(await callRoute(long, `GET /changes/${id}`))).toContain('which is too long to be shown here');
  expect(textOf(await callRoute(routesOf(lab.store), `GET /changes/${id}`))).toContain(
    'No feed of this hub tells of it.',
  );
});

test('an id that is unknown is not found; of one that was cut off the log, the archive is named', async () => {
  await using lab = await openChangesLab();
  const old = await lab.say(BEFORE);
  await lab.say(AFTER);
  await lab.say(`${AFTER}\nMore.`);
  await lab.store.cutLog(2);
  const routes = routesOf(lab.store);
  for (const id of ['01JZZZZZZZZZZZZZZZZZZZZZZZ'.replace('01J', '7ZZ'), 'nonsense', '<script>', 'x'.repeat(2000)]) {
    const answer = await callRoute(routes, `GET /changes/${encodeURIComponent(id)}`);
    expect(answer.status, id).toBe(404);
    expect(textOf(answer)).toContain('This hub has no change');
    expect(textOf(answer)).not.toContain('<script>');
  }
  const gone = await callRoute(routes, `GET /changes/${old.id}`);
  expect(gone.status).toBe(410);
  expect(textOf(gone)).toContain('stands in the archive api/v1/archives/changes-1-2.ndjson.gz');
  expect((await callRoute(routes, `GET /api/v1/views/changes/${old.id}`)).status).toBe(410);
});

const HOSTILE = '"><script>alert(1)</script>\u202e\u200b\ud800\u0000{{x}}';
test('hostile words in every field are text', async () => {
  await using lab = await openChangesLab();
  await lab.say(`# ${HOSTILE}\n\nOne ${HOSTILE} two.`);
  const change = await lab.say(`# ${HOSTILE}\n\nOne ${HOSTILE} three ${HOSTILE}.`, {
    title: HOSTILE,
    heading: HOSTILE,
    anchor: HOSTILE,
    summary: HOSTILE,
    excerpt: HOSTILE,
    before: HOSTILE,
    note: HOSTILE,
    checksum: HOSTILE,
    risk: 1,
    riskReasons: [HOSTILE],
    provenance: Object.fromEntries(
      ['originId', 'claimed', 'published', 'extractor', 'readFrom', 'contentError', 'signer'].map((name) => [
        name,
        HOSTILE,
      ]),
    ),
  });
  const feed = await lab.commit([
    { title: HOSTILE, provenance: { by: HOSTILE, originId: HOSTILE, verified: true, signer: HOSTILE } },
  ]);
  const routes = routesOf(lab.store, () => ({ words: HOSTILE, path: 'a/b', mediaType: HOSTILE, text: HOSTILE }));
  for (const id of [change.id, feed[0]?.id]) {
    for (const look of ['side', 'inline', 'rendered']) {
      const html = textOf(await callRoute(routes, `GET /changes/${id}?look=${look}`));
      expect(html).not.toContain('<script>alert');
      for (const odd of ['\u202e', '\u200b', '\ud800', '\u0000']) expect(html).not.toContain(odd);
      expect(html).not.toMatch(/\sstyle=|\son\w+="/);
    }
  }
});

const LINES = shortOrLong(10_000, 50_000);
test('a megabyte, many thousand lines, and a text that is another one are shown within bounds', async () => {
  await using lab = await openChangesLab();
  const line = 'All work and no play makes a dull boy. ';
  const texts = [
    line.repeat(26_000),
    `${line.repeat(13_000)} redrum ${line.repeat(13_000)}`,
    'x\n'.repeat(2 * LINES),
    `${'x\n'.repeat(LINES)}y\n${'x\n'.repeat(LINES)}`,
    Array.from({ length: 2 * LINES }, (_, index) => `z${index}`).join('\n'),
  ];
  const routes = routesOf(lab.store);
  const pages: string[] = [];
  for (const text of texts) {
    const { id } = await lab.say(text);
    const html = textOf(await callRoute(routes, `GET /changes/${id}`));
    expect(html.length).toBeLessThan(700_000);
    pages.push(html);
  }
  expect(pages[1]).toMatch(/<ins>[^<]*redrum[^<]*<\/ins>/);
  expect(pages[3]).toContain('<ins>y</ins>');
  expect(pages[4]).toMatch(/more lines differ and are not shown/);
});
