import { decodeFeed, decodeHead } from 'tidings/diffdelta';

const [url = 'https://docs.example/diff/head.json', stored] = process.argv.slice(2);

// Ask the small head first: while its cursor is the one you keep, there is nothing else to fetch.
const head = decodeHead(await (await fetch(url)).text());
if (!head.ok) throw new Error(head.issues[0].message);
if (head.value.cursor === null || head.value.cursor === stored) process.exit();

const feed = decodeFeed(await (await fetch(new URL(head.value.latest_url, url))).text());
if (!feed.ok) throw new Error(feed.issues[0].message);
if (feed.value.prev_cursor !== (stored ?? null)) console.log(`missed runs: go on at ${feed.value.prev_archive_url}`);
for (const bucket of ['new', 'updated', 'removed', 'flagged']) {
  for (const { id, headline } of feed.value.buckets[bucket]) console.log(bucket, id, headline);
}
console.log('keep', feed.value.cursor);
