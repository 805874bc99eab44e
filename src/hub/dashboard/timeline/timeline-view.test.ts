import { expect, test } from 'vitest';
import { callRoute, jsonOf, textOf } from '../../../../test/support/call-route.ts';
import { openChangesLab, routesOfViews, type Store } from '../../../../test/support/changes-lab.ts';
import { matchesSchema } from '../../../../test/support/json-schema.ts';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { sectionsOfChange } from '../../catalogue/catalogue-entry.ts';
import { timelineView } from './timeline-view.ts';

const URL_A = 'https://docs.example/limits';
const PLACE = `source=docs&url=${encodeURIComponent(URL_A)}`;

function page(tiers: string, heading = 'Tiers'): string {
  return `# Limits\n\nIntro of ${tiers}.\n\n## ${heading}\n\nEach key may ask ${tiers} times a minute.\n\n## Prices\n\n19\n`;
}

/** As the catalogue answers, by reading all of a short log. */
function catalogueOf(store: Store, behind = 0): Pick<Catalogue, 'timeline' | 'standing'> {
  return {
    standing: { seq: 0, behind },
    async timeline({ source, url, anchor, before = Number.MAX_SAFE_INTEGER, limit = 50 }) {
      const found = [];
      for await (const change of store.changes({})) {
        const isOf = change.source === source && change.url === url && change.seq < before;
        if (isOf && (anchor === undefined || sectionsOfChange(change).includes(anchor))) found.unshift(change);
      }
      const changes = found.slice(0, limit);
      const last = changes.at(-1);
      return { changes, ...(found.length > limit && last !== undefined && { older: last.seq }) };
    },
  };
}

const routesOf = (store: Store) => routesOfViews(timelineView({ catalogue: catalogueOf(store), store }));

test('all versions of a section, newest first, and the two newest compared: its own lines alone', async () => {
  await using lab = await openChangesLab();
  await lab.say(page('30'), { action: 'create' });
  for (const tiers of ['60', '90', '120'])
    await lab.say(page(tiers), { anchor: 'tiers', title: 'Limits', heading: 'Tiers' });
  await lab.say(page('120').replace('19', '21'), { anchor: 'prices' });
  const routes = routesOf(lab.store);
  const html = textOf(await callRoute(routes, `GET /timeline?${PLACE}&anchor=tiers`));
  expect(html.match(/<input type="radio" name="a"/g)).toHaveLength(3);
  expect(html).toContain('<h1><bdi>Versions of Limits › Tiers</bdi></h1>');
  expect(html).toContain('Each key may ask <del>90</del> times a minute.');
  expect(html).toContain('Each key may ask <ins>120</ins> times a minute.');
  expect(html).not.toContain('Intro of');
  expect(textOf(await callRoute(routes, `GET /timeline?${PLACE}`)).match(/name="a"/g)).toHaveLength(5);
});

test('any two are compared, in the order of the log, in every look; the API gives the words', async () => {
  await using lab = await openChangesLab();
  const first = await lab.say(page('30'), { anchor: 'tiers' });
  for (const tiers of ['60', '90']) await lab.say(page(tiers), { anchor: 'tiers' });
  const last = await lab.say(page('120'), { anchor: 'tiers' });
  const routes = routesOf(lab.store);
  const asked = `${PLACE}&anchor=tiers&a=${last.id}&b=${first.id}`;
  const html = textOf(await callRoute(routes, `GET /timeline?${asked}&look=inline`));
  expect(html).toContain('Each key may ask <del>30</del><ins>120</ins> times a minute.');
  expect(html).toContain(`value="${first.id}" aria-label="From ${first.time}" checked`);
  expect(html).toContain(`value="${last.id}" aria-label="To ${last.time}" checked`);
  expect(html).toContain('<input type="hidden" name="look" value="inline">');
  expect(textOf(await callRoute(routes, `GET /timeline?${asked}&look=rendered`))).toContain(
    '<p>Each key may ask <del>30</del> times',
  );
  const facts = jsonOf(await callRoute(routes, `GET /api/v1/views/timeline?${asked}`));
  const { schema } = timelineView({} as Parameters<typeof timelineView>[0]);
  expect(matchesSchema(schema, facts)).toBe(true);
  expect(facts.compared).toMatchObject({ a: { id: first.id }, b: { id: last.id }, text: { scope: 'section' } });
  expect(JSON.stringify(facts)).not.toContain('<del>');
});

test('a section that was renamed leads to what it was before, and is compared over that', async () => {
  await using lab = await openChangesLab();
  const old = await lab.say(page('30'), { anchor: 'tiers' });
  const note = 'anchor-renamed: tiers -> plans; sections added=plans removed=tiers';
  await lab.say(page('30', 'Plans'), { note });
  const now = await lab.say(page('60', 'Plans'), { anchor: 'plans' });
  const routes = routesOf(lab.store);
  const html = textOf(await callRoute(routes, `GET /timeline?${PLACE}&anchor=plans`));
  expect(html).toContain('It was called <bdi>tiers</bdi> before');
  expect(html).toContain(`href="./timeline?${PLACE.replace('&', '&amp;')}&amp;anchor=tiers"`);
  const both = await callRoute(routes, `GET /timeline?${PLACE}&anchor=plans&a=${old.id}&b=${now.id}&look=inline`);
  expect(textOf(both)).toContain('<del>Tiers</del><ins>Plans</ins>');
  expect(textOf(both)).not.toContain('Intro of');
});

test('a section that came, a page that went, and texts that are not kept', async () => {
  await using lab = await openChangesLab();
  const without = await lab.say('# Limits\n\nIntro.\n', { action: 'create' });
  const having = await lab.say(page('60'), { anchor: 'tiers', action: 'create' });
  const [gone] = await lab.commit([
    { action: 'delete', provenance: { by: 'compare', before: String(having.provenance.after) } },
  ]);
  const [told] = await lab.commit([{ anchor: 'tiers', provenance: { by: 'aicf' } }]);
  const routes = routesOf(lab.store);
  const compare = async (a: string | undefined, b: string | undefined) =>
    textOf(await callRoute(routes, `GET /timeline?${PLACE}&anchor=tiers&a=${a}&b=${b}`));
  const came = await compare(without.id, having.id);
  expect(came).toContain('All of it is new.');
  expect(came).toContain('<ins>## Tiers');
  expect(await compare(having.id, gone?.id)).toContain('All of it is gone.');
  expect(await compare(having.id, told?.id)).toContain('The text of one of them is not kept');
});

const VERSIONS = shortOrLong(120, 5000);
test('thousands of versions are paged', async () => {
  await using lab = await openChangesLab();
  const drafts = Array.from({ length: VERSIONS }, () => ({ anchor: 'tiers', provenance: { by: 'compare' } }));
  const changes = await lab.commit(drafts);
  const routes = routesOf(lab.store);
  const first = jsonOf(await callRoute(routes, `GET /api/v1/views/timeline?${PLACE}&anchor=tiers`));
  expect(first.versions).toHaveLength(50);
  expect(first.older).toBe(VERSIONS - 49);
  const html = textOf(await callRoute(routes, `GET /timeline?${PLACE}&anchor=tiers&before=${first.older}`));
  expect(html).toContain(changes[VERSIONS - 51]?.id);
  expect(html).toContain(`&amp;before=${VERSIONS - 99}">More →`);
  expect(html).toContain('← Back');
});

test('a catalogue that is behind the log says so', async () => {
  await using lab = await openChangesLab();
  const routes = routesOfViews(timelineView({ catalogue: catalogueOf(lab.store, 1200), store: lab.store }));
  expect(textOf(await callRoute(routes, `GET /timeline?${PLACE}`))).toContain('1,200 changes may be missing here');
});

test('what is asked for is checked: the place, the ids, and that they are of this page', async () => {
  await using lab = await openChangesLab();
  const own = await lab.say(page('60'), { anchor: 'tiers' });
  const [other] = await lab.commit([{ url: 'https://docs.example/other' }]);
  const routes = routesOf(lab.store);
  const status = async (query: string) => (await callRoute(routes, `GET /timeline?${query}`)).status;
  expect(await status('')).toBe(400);
  expect(await status('source=docs')).toBe(400);
  expect(await status(`${PLACE}&before=x`)).toBe(400);
  expect(await status(`${PLACE}&look=x`)).toBe(400);
  expect(await status(`${PLACE}&a=nonsense`)).toBe(404);
  expect(await status(`${PLACE}&a=${own.id}&b=${other?.id}`)).toBe(400);
  expect(await status(`${PLACE}&a=${own.id}`)).toBe(200);
  expect(textOf(await callRoute(routes, 'GET /timeline?source=no&url=https://no.example/'))).toContain(
    'The log tells of no change of it.',
  );
});

const HOSTILE = '"><script>alert(1)</script>\u202e\u200b\ud800';
test('hostile words in every field are text', async () => {
  await using lab = await openChangesLab();
  for (const text of ['One', 'Two']) {
    await lab.say(`# ${HOSTILE}\n\n${text} ${HOSTILE}`, {
      anchor: HOSTILE,
      title: HOSTILE,
      heading: HOSTILE,
      note: `anchor-renamed: ${HOSTILE} -> ${HOSTILE}`,
    });
  }
  const routes = routesOf(lab.store);
  for (const look of ['side', 'inline', 'rendered']) {
    const html = textOf(
      await callRoute(
        routes,
        `GET /timeline?${PLACE}&anchor=${encodeURIComponent(HOSTILE.toWellFormed())}&look=${look}`,
      ),
    );
    expect(html).not.toContain('<script>alert');
    for (const odd of ['\u202e', '\u200b', '\ud800']) expect(html).not.toContain(odd);
    const whole = textOf(await callRoute(routes, `GET /timeline?${PLACE}&look=${look}`));
    expect(whole).toContain('name="a"');
    expect(whole).not.toContain('<script>alert');
  }
});
