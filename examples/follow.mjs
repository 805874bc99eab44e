import { follow } from 'tidings';

const [url = 'https://docs.example/', state = 'docs.db'] = process.argv.slice(2);
const local = process.argv.includes('--allow-private') ? { allowPrivate: true, cooldownMs: 0 } : {};

for await (const event of follow({ url, state, once: true, content: true, ...local })) {
  if (event.action === 'delete') console.log('forget', event.boundary);
  else console.log('index', event.boundary, `${event.markdown?.length ?? 0} characters`);
}
