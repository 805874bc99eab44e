import { startHub } from 'tidings/hub';

const [path = 'dist', data = 'data'] = process.argv.slice(2);

const sources = [{ id: 'docs', kind: 'folder', path, site: 'https://docs.example/', intervalSeconds: 1 }];
const hub = await startHub({ port: 0, data, sources });

// A reader keeps `next` and asks again with it: every change once, in order, also after a restart of either side.
let changes = [];
for (let tries = 0; changes.length === 0 && tries < 50; tries += 1) {
  const answer = await fetch(`${hub.url}api/v1/changes?limit=100`);
  ({ changes } = await answer.json());
  if (changes.length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
}
for (const { action, boundary } of changes) console.log(action, boundary);

await hub.close();
