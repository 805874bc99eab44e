/**
 * One way to read pages, in a separate process, so that no side pays for the heap or the garbage of another.
 *
 *     fork('pages-child.mjs', [side, pages.json])       pages.json: [{ "url": …, "html": … }, …]
 *
 * Sends `{ "pages": … }` once it is ready. After each message it reads all pages and sends `{ "cpuUs": …, "wallUs": …, "characters": … }` of the round.
 * `characters` is the length of the output.
 *
 * Before that it reads all pages for the same CPU time as every other side, so that the just-in-time compiler has had the same time for each.
 */
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const WARM_UP_US = 6_000_000;

const SIDES = {
  async ours() {
    const { readPage } = await import('../dist/doors/aidocument.js');
    return (html, url) => readPage(html, url).content.markdown;
  },
  async 'ours-without-economics'() {
    const { readPage } = await import('../dist/doors/aidocument.js');
    return (html, url) => readPage(html, url, { economics: false }).content.markdown;
  },
  async parse() {
    const { parseDocument } = await import('htmlparser2');
    return (html) => parseDocument(html).children;
  },
  async jsdom() {
    const { JSDOM, VirtualConsole } = await import('jsdom');
    const toMarkdown = await readabilityAndTurndown();
    return (html, url) => {
      // Without listeners, so that errors in a page's style sheets are not printed.
      const { window } = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
      const markdown = toMarkdown(window.document);
      window.close();
      return markdown;
    };
  },
  async linkedom() {
    const { parseHTML } = await import('linkedom');
    const toMarkdown = await readabilityAndTurndown();
    return (html) => toMarkdown(parseHTML(html).document);
  },
};

async function readabilityAndTurndown() {
  const { Readability } = await import('@mozilla/readability');
  const { default: TurndownService } = await import('turndown');
  const turndown = new TurndownService();
  return (document) => turndown.turndown(new Readability(document).parse()?.content ?? '');
}

const [side, file] = process.argv.slice(2);
const read = await SIDES[side]();
const pages = JSON.parse(readFileSync(file, 'utf8'));

process.on('message', async () => process.send(await readAll()));
let warmUpUs = 0;
while (warmUpUs < WARM_UP_US) warmUpUs += (await readAll()).cpuUs;
process.send({ pages: pages.length });

async function readAll() {
  const cpuBefore = process.cpuUsage();
  const wallBefore = process.hrtime.bigint();
  let characters = 0;
  for (const { html, url } of pages) {
    characters += read(html, url).length;
    // jsdom frees a closed window only once its tasks have run.
    await setImmediate();
  }
  const wallUs = Number(process.hrtime.bigint() - wallBefore) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpuUs: user + system, wallUs, characters };
}
