import { harvest } from 'tidings/resourcesync';

const [site = 'https://docs.example/', out = 'feeds', state = 'harvest.db'] = process.argv.slice(2);
const local = process.argv.includes('--allow-private') ? { allowPrivate: true } : {};

// Once a day is plenty: every change is told once, however long it slept.
const { collections, errors } = await harvest({ site, out, state, ...local });

for (const { describes, changes, feed } of collections) console.log(`${describes}: ${changes} changes in ${feed}`);
for (const { url, message } of errors) console.error(`${url}: ${message}`);
