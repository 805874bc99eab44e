import fc from 'fast-check';
import { expect, test } from 'vitest';
import { follow } from '../src/doors/follow.ts';
import { publish } from '../src/doors/publish.ts';
import { extractPage } from '../src/extract/extract-page.ts';
import { shortOrLong } from './support/short-or-long.ts';
import { htmlPage, type TestFolder, type TestSection, temporaryFolder } from './support/site.ts';
import { serveFolder } from './support/static-server.ts';

/** What the author has written: file → page. */
type Draft = Map<string, { title: string; sections: TestSection[] }>;

interface PageStep {
  readonly do: 'add-page' | 'delete-page' | 'move-page' | 'retitle';
  readonly page: number;
  readonly word: string;
}

interface SectionStep {
  readonly do: 'edit' | 'add-section' | 'remove-section' | 'rename-heading' | 'move-section';
  readonly page: number;
  readonly section: number;
  readonly word: string;
}

type Step =
  | PageStep
  | SectionStep
  | { readonly do: 'publish'; readonly rotateBytes: number | undefined }
  | { readonly do: 'poll' };

const PAGES = ['index.html', 'a.html', 'b/index.html', 'c d.html', 'é.html'];
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];

const index = fc.nat({ max: 9 });
const word = fc.constantFrom(...WORDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('add-page' as const, 'delete-page' as const, 'move-page' as const, 'retitle' as const),
      page: index,
      word,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'edit' as const,
        'edit' as const,
        'add-section' as const,
        'remove-section' as const,
        'rename-heading' as const,
        'move-section' as const,
      ),
      page: index,
      section: index,
      word,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('publish' as const), rotateBytes: fc.constantFrom(undefined, 600, 2000) }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'poll' as const }) },
);

test('any sequence of edits, publishes and polls leaves the mirror equal to the site', async () => {
  let polls = 0;
  let anchored = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
      using site = temporaryFolder();
      using state = temporaryFolder();
      await using server = await serveFolder(site.path);
      const draft: Draft = new Map([['index.html', newPage('Home')]]);
      const author = new Author(draft);
      const mirror = new Map<string, Map<string, string>>();
      let live = new Map<string, string>();

      for (const next of [...steps, { do: 'publish', rotateBytes: undefined } as const, { do: 'poll' } as const]) {
        if (next.do === 'publish') live = await publishDraft(site, draft, live, server.url, next.rotateBytes);
        else if (next.do !== 'poll') author.take(next);
        else if (live.size > 0) {
          polls += 1;
          anchored += await pollInto(mirror, live, server.url, `${state.path}/follow.db`);
          expect(mirror).toEqual(new Map([...live].map(([url, html]) => [url, sectionsOf(html, url)])));
        }
      }
    }),
    { numRuns: Number(process.env.TIDINGS_MODEL_RUNS ?? shortOrLong(8, 60)) },
  );
  expect(polls).toBeGreaterThan(shortOrLong(7, 20));
  expect(anchored).toBeGreaterThan(shortOrLong(-1, 5));
});

/** Publishes what is written, and sees that events are about pages that differ, and only those. */
async function publishDraft(
  site: TestFolder,
  draft: Draft,
  before: ReadonlyMap<string, string>,
  base: string,
  rotateBytes: number | undefined,
): Promise<Map<string, string>> {
  for (const name of Object.keys(site.fingerprint())) if (name.endsWith('.html')) site.remove(name);
  const files = Object.fromEntries([...draft].map(([name, { title, sections }]) => [name, htmlPage(title, sections)]));
  site.write(files);
  const options = { dir: site.path, site: base, force: true, allowDeletes: true, rotateBytes };
  const report = await publish(options);
  const after = new Map(Object.entries(files).map(([name, html]) => [urlOf(base, name), html]));
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
    (url) => contentOf(before, url) !== contentOf(after, url),
  );
  expect(new Set(report.changes.map(({ url }) => url))).toEqual(new Set(differing));
  expect((await publish(options)).changes).toEqual([]);
  return after;
}

async function pollInto(
  mirror: Map<string, Map<string, string>>,
  live: ReadonlyMap<string, string>,
  base: string,
  state: string,
): Promise<number> {
  let anchored = 0;
  for await (const event of follow({
    urls: base,
    state,
    once: true,
    content: true,
    allowPrivate: true,
    cooldownMs: 0,
  })) {
    const html = live.get(event.url);
    if (event.action === 'delete') mirror.delete(event.url);
    else if (html === undefined) expect(event.contentError).toBeDefined();
    else if (event.sections !== undefined) {
      const known = mirror.get(event.url);
      known?.set('(title)', extractPage(html, event.url).title);
      for (const { anchor, markdown } of event.sections) {
        if (markdown === undefined) known?.delete(anchor);
        else known?.set(anchor, markdown);
      }
    } else if (event.anchor === undefined || event.boundary === event.url) {
      // A page that a later event deletes is not fetched for an earlier one.
      const skipped = event.unchanged === true || event.contentError !== undefined;
      expect(skipped || event.markdown === extractPage(html, event.url).markdown).toBe(true);
      mirror.set(event.url, sectionsOf(html, event.url));
    } else {
      anchored += 1;
      if (event.markdown !== undefined) mirror.get(event.url)?.set(event.anchor, event.markdown);
    }
  }
  return anchored;
}

function sectionsOf(html: string, url: string): Map<string, string> {
  const page = extractPage(html, url);
  return new Map([
    ['(title)', page.title],
    ...page.sections.map(({ anchor, markdown }) => [anchor, markdown] as const),
  ]);
}

function contentOf(site: ReadonlyMap<string, string>, url: string): string | undefined {
  const html = site.get(url);
  return html === undefined ? undefined : extractPage(html, url).checksum;
}

function urlOf(base: string, name: string): string {
  return new URL(name.replace(/index\.html$/, ''), base).href;
}

function newPage(title: string): { title: string; sections: TestSection[] } {
  return {
    title,
    sections: WORDS.slice(0, 4).map((name) => ({ id: name, heading: `About ${name}`, text: `This is about ${name}.` })),
  };
}

/** Carries out the steps that change what is written. Anchors stay unique within a page, as most authors keep them. */
class Author {
  readonly #draft: Draft;
  #count = 0;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  take(step: PageStep | SectionStep): void {
    this.#count += 1;
    const free = PAGES.filter((name) => !this.#draft.has(name));
    const names = [...this.#draft.keys()];
    const name = names[step.page % Math.max(names.length, 1)] ?? '';
    const page = this.#draft.get(name);
    const freeName = free[step.page % Math.max(free.length, 1)];
    if (step.do === 'add-page') {
      if (freeName !== undefined) this.#draft.set(freeName, newPage(`Page ${step.word}`));
    } else if (page === undefined) return;
    else if (step.do === 'delete-page') {
      if (names.length > 1) this.#draft.delete(name);
    } else if (step.do === 'move-page') {
      if (freeName === undefined) return;
      this.#draft.delete(name);
      this.#draft.set(freeName, page);
    } else if (step.do === 'retitle') page.title = `Page ${step.word} ${this.#count}`;
    else if ('section' in step) this.#editSections(page.sections, step);
  }

  #editSections(sections: TestSection[], step: SectionStep): void {
    const at = step.section % Math.max(sections.length, 1);
    const section = sections[at];
    if (step.do === 'add-section') {
      const id = step.section % 2 === 0 ? `new-${this.#count}` : undefined;
      sections.splice(at, 0, { id, heading: `New ${step.word} ${this.#count}`, text: `Written as ${this.#count}.` });
    } else if (section === undefined) return;
    else if (step.do === 'remove-section') sections.splice(at, 1);
    else if (step.do === 'edit') sections[at] = { ...section, text: `Now it says ${step.word}.` };
    else if (step.do === 'rename-heading')
      sections[at] = { ...section, heading: `Renamed ${step.word} ${this.#count}` };
    else {
      sections.splice(at, 1);
      sections.splice(step.page % (sections.length + 1), 0, section);
    }
  }
}
