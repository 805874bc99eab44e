import { decodeFeed, decodeHead } from 'tidings/diffdelta';

const [url = 'https://docs.example/diff/head.json', stored] = process.argv.slice(2);

// Ask the small head first: while its cursor is the one you keep, there is nothing else to fetch.
const head = decodeHead(await (await fetch(url)).text());
if (!head.ok) throw new Error(head.issues[0].message);
if (head.value.cursor === null || head.value.cursor === stored) process.exit();

const read = async (from) => {
  const feed = decodeFeed(await (await fetch(new URL(from, url))).text());
  if (!feed.ok) throw new Error(feed.issues[0].message);
  return feed.value;
};
const latest = await read(head.value.latest_url);
// A feed that says once more what it said names itself as the run before. Its archive names the real one.
const { prev_cursor } = latest.changed === false && latest.archive_url ? await read(latest.archive_url) : latest;
if (stored && prev_cursor !== stored) console.log(`missed runs: go on at ${latest.prev_archive_url}`);
for (const bucket of ['new', 'updated', 'removed', 'flagged']) {
  for (const { id, headline } of latest.buckets[bucket]) console.log(bucket, id, headline);
}
console.log('keep', latest.cursor);
