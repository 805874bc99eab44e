import { publish } from 'tidings';

const [dir = 'dist', site = 'https://docs.example/'] = process.argv.slice(2);

const { changes, artifacts } = await publish({ dir, site });

for (const { action, url, anchor } of changes) console.log(action, anchor ? `${url}#${anchor}` : url);
console.log(`wrote ${artifacts.join(', ')}`);
