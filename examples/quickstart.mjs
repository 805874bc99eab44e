// The whole job in one run: publish a site, follow it, edit one section, publish again, follow again.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { follow, publish } from 'tidings';
import { serveFolder } from './serve-folder.mjs';

const folder = await mkdtemp(join(tmpdir(), 'tidings-quickstart-'));
const site = join(folder, 'site');
const state = join(folder, 'follower');
await cp(fileURLToPath(new URL('./site', import.meta.url)), site, { recursive: true });
const server = await serveFolder(site);

try {
  console.log('1. Publish a site of hand-written pages');
  await publishSite();

  console.log('\n2. Follow it: everything is new');
  await followSite((event) => console.log(`   ${event.action} ${event.url}`));

  console.log('\n3. Raise one price on one page, publish again');
  const pricing = join(site, 'pricing.html');
  await writeFile(pricing, (await readFile(pricing, 'utf8')).replace('€ 19', '€ 21'));
  await publishSite();

  console.log('\n4. Follow it again: only the section that changed');
  await followSite((event) => {
    console.log(`   ${event.action} ${event.boundary}\n`);
    console.log(`${event.markdown.trimEnd().replaceAll(/^(?=.)/gm, '       ')}\n`);
  });
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}

async function publishSite() {
  // `force` because the example's address is plain http; a real site has https and needs none.
  const result = await publish({ dir: site, site: server.url, cleanUrls: true, force: true });
  const { pages, created, updated, deleted, unchanged } = result;
  console.log(`   ${pages} pages: ${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`);
}

async function followSite(print) {
  let events = 0;
  for await (const event of follow({
    url: server.url,
    state,
    once: true,
    content: true,
    allowPrivate: true,
    cooldownMs: 0,
  })) {
    events += 1;
    print(event);
  }
  console.log(`   ${events} ${events === 1 ? 'event' : 'events'}`);
}
