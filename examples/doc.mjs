import { readDocument } from 'tidings';

const [url = 'https://docs.example/', cacheDir = 'cache'] = process.argv.slice(2);
const allowPrivate = process.argv.includes('--allow-private');

const { schema, source, cache, identity, content } = await readDocument(url, { cacheDir, allowPrivate });

console.log(`${identity.title}: ${source.url}`);
console.log(`${cache.status}, fetched ${source.fetched_at}, ${schema.ref}`);
console.log(`\n${content.markdown}`);
