import { type ClusterHub, until } from './cluster-hub-world.ts';

export interface PairsReport {
  readonly pairs: number;
  readonly addresses: number;
  readonly seq: number;
  /** Every count has to be 0. */
  readonly wrong: Readonly<Record<string, number>>;
}

/** What both servers must say alike. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** By the name under which differences are counted. */
const COMPARED: Readonly<Record<string, string>> = {
  etag: 'differing ETags',
  'last-modified': 'differing Last-Modified',
  'content-type': 'other differences',
  'content-encoding': 'other differences',
  'content-length': 'other differences',
  'cache-control': 'other differences',
  link: 'other differences',
  vary: 'other differences',
};
const ENCODINGS = ['identity', 'gzip', 'br'];
const EQUAL_WITHIN_MS = 60_000;
/** So many pairs are asked for beside each other. */
const AT_ONCE = 16;
const FEEDS = [
  'ai-changes.ndjson',
  '.well-known/ai-changefeed',
  'changes.atom',
  'diff/head.json',
  'diff/latest.json',
  'api/v1/endpoints',
];

/** Asks both servers the same, so many times, over every address of the hub that is made of the log. Both have the whole log, and nothing is added to it. */
export async function comparePairs({ servers, world }: ClusterHub, pairs: number): Promise<PairsReport> {
  const [first = '', second = ''] = servers.map(({ url }) => url ?? '');
  const wrong: Record<string, number> = { 'differing bytes': 0, 'bad answers': 0, 'not at equal seq': 0 };
  for (const name of Object.values(COMPARED)) wrong[name] = 0;
  const count = (what: string, line: string) => {
    wrong[what] = (wrong[what] ?? 0) + 1;
    world.ledger.complain(`paired: ${line}`);
  };
  const seqs = async () => await Promise.all([lastSeq(first), lastSeq(second)]);
  let seq = 0;
  const areEqual = async () => {
    const [here, there] = await seqs();
    seq = here;
    return here > 0 && here === there;
  };
  if (!(await until(areEqual, EQUAL_WITHIN_MS))) count('not at equal seq', `${await seqs()}`);
  const addresses = await addressesOf(
    first,
    world.sources.map(({ id }) => id),
  );
  const compare = async (pair: number) => {
    const path = addresses[pair % addresses.length] ?? '';
    const encoding = ENCODINGS[Math.floor(pair / addresses.length) % ENCODINGS.length] ?? '';
    const [here, there] = await Promise.all([get(first, path, encoding), get(second, path, encoding)]);
    if (here.status !== 200 || there.status !== 200) count('bad answers', `${path}: ${here.status}, ${there.status}`);
    if (!here.body.equals(there.body)) count('differing bytes', `${path} as ${encoding}`);
    for (const [name, what] of Object.entries(COMPARED)) {
      const [one, other] = [here.headers.get(name), there.headers.get(name)];
      if (one !== other) count(what, `${path} as ${encoding}: ${name} ${one}, ${other}`);
    }
  };
  for (let pair = 0; pair < pairs; pair += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, pairs - pair) }, (_, more) => compare(pair + more));
    await Promise.all(some);
  }
  if ((await seqs()).some((last) => last !== seq)) count('not at equal seq', 'something was added meanwhile');
  return { pairs, addresses: addresses.length, seq, wrong };
}

async function get(hub: string, path: string, encoding: string): Promise<Answer> {
  const answer = await fetch(new URL(path, hub), { headers: { 'accept-encoding': encoding } });
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
}

/** Feeds of all and of each source, their archives, pages of the log. */
async function addressesOf(hub: string, ids: readonly string[]): Promise<readonly string[]> {
  const own = (of: (id: string) => string) => ids.map(of);
  const before = (text: string) => {
    const { archive_url, prev_archive_url } = JSON.parse(text) as Record<string, string | undefined>;
    return text.includes('"archive_url"') ? archive_url : prev_archive_url;
  };
  const chains = [
    ...['diff/latest.json', ...own((id) => `diff/${id}/latest.json`)].map((path) => () => chainOf(hub, path, before)),
    ...['changes.atom', ...own((id) => `atom/${id}.atom`)].map((path) => () => chainOf(hub, path, archiveBefore)),
  ];
  const addresses = [...FEEDS, ...own((id) => `aicf/${id}.ndjson`), ...own((id) => `diff/${id}/head.json`)];
  for (let at = 0; at < chains.length; at += AT_ONCE) {
    const some = await Promise.all(chains.slice(at, at + AT_ONCE).map((chain) => chain()));
    addresses.push(...some.flat());
  }
  const pages = (await pagesOf(hub)).map(({ path }) => path);
  return [...new Set([...addresses, ...pages])];
}

/** A feed and the archives behind it. */
async function chainOf(
  hub: string,
  first: string,
  before: (text: string) => string | undefined,
): Promise<readonly string[]> {
  const chain: string[] = [];
  for (let path: string | undefined = first; path !== undefined && !chain.includes(path); ) {
    chain.push(path);
    const { body } = await get(hub, path, 'identity');
    path = before(body.toString())?.replace(/^\//, '');
  }
  return chain;
}

export function archiveBefore(text: string): string | undefined {
  const link = /<link [^>]*rel="prev-archive"[^>]*>/.exec(text)?.[0];
  const url = /href="([^"]*)"/.exec(link ?? '')?.[1];
  return url === undefined ? undefined : new URL(url).pathname;
}

interface Page {
  readonly path: string;
  readonly changes: readonly { readonly seq: number }[];
}

async function pagesOf(hub: string): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const path: string = `api/v1/changes?limit=500${after && `&after=${after}`}`;
    const { body } = await get(hub, path, 'identity');
    const { changes, next } = JSON.parse(body.toString()) as Pick<Page, 'changes'> & { next: string | null };
    pages.push({ path, changes });
    after = changes.length === 0 ? null : next;
  }
  return pages;
}

async function lastSeq(hub: string): Promise<number> {
  return (await pagesOf(hub)).findLast(({ changes }) => changes.length > 0)?.changes.at(-1)?.seq ?? 0;
}
