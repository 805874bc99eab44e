import { inTime, sayProgress } from './hub-cost-build.ts';
import { startMonitoredHub } from './hub-cost-hub.ts';

const ROUNDS = 15;
const PAGE = 100;
/** A start that takes longer is aborted. */
const MOST_MS = 400_000;
const ID = 'handbook_0007';
const ROUTES = [
  ...['diff/head.json', 'diff/latest.json', 'diff/sources.json', `diff/${ID}/head.json`, `diff/${ID}/latest.json`],
  ...['changes.atom', `atom/${ID}.atom`, '.well-known/ai-changefeed', '.well-known/diffdelta.json', 'api/v1/sources'],
  ...[`api/v1/changes?source=${ID}&limit=${PAGE}`, 'healthz', 'state/health.json', 'metrics', ''],
];

/** The response times of a hub's routes in milliseconds (median), at the beginning and at the end of a long log. */
export async function latencies(folder: string, changes: number) {
  const hub = startMonitoredHub(folder);
  const since = performance.now();
  const base = await inTime(hub.url, MOST_MS);
  if (base === undefined) {
    await hub.stop();
    return { ours: { changes, isCutOff: 1 }, peer: {} };
  }
  sayProgress(`the hub listens after ${Math.round((performance.now() - since) / 1000)} s`);
  const ours: Record<string, number> = { changes };
  const peer: Record<string, number> = {};
  const places = { start: 0, middle: Math.floor(changes / 2), end: changes - PAGE };
  const cursors = await cursorsAt(base, Object.values(places));
  for (const [at, place] of Object.keys(places).entries()) {
    const into = place === 'end' ? peer : ours;
    const share = at / 2;
    into[`changes ${place}`] = await median(() => get(`${base}api/v1/changes?limit=${PAGE}${cursors[at]}`));
    into[`aicf range ${place}`] = await median(() => getRange(`${base}ai-changes.ndjson`, share));
    into[`atom archive ${place}`] = await median(async () => get(await atomArchive(base, share)));
  }
  peer['diffdelta archive end'] = await median(async () => get(await newestArchive(base)));
  for (const path of ROUTES) {
    // An earlier build may not have it.
    if ((await fetch(`${base}${path}`)).ok) peer[path || 'home'] = await median(() => get(`${base}${path}`));
  }
  await hub.stop();
  return { ours, peer };
}

async function median(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const since = performance.now();
    await ask();
    times.push(performance.now() - since);
  }
  return Number((times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN).toFixed(2));
}

async function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} answers ${response.status}.`);
  return await response.text();
}

async function getRange(url: string, share: number): Promise<string> {
  const { headers } = await fetch(url, { method: 'HEAD' });
  const length = Number(headers.get('content-length'));
  const from = Math.floor(Math.max(0, length - 65_536) * share);
  return await get(url, {
    range: `bytes=${from}-${Math.min(length, from + 65_536) - 1}`,
    'accept-encoding': 'identity',
  });
}

/** The parameter for a page of the log that begins after this many changes. */
async function cursorsAt(base: string, places: readonly number[]): Promise<string[]> {
  const ids = await idsAt(base, places);
  return places.map((place) => (place === 0 ? '' : `&after=${ids.get(place) ?? ''}`));
}

async function idsAt(base: string, places: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  const response = await fetch(`${base}ai-changes.ndjson`, { headers: { 'accept-encoding': 'identity' } });
  let [line, rest] = [0, ''];
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      line += 1;
      if (places.includes(line)) found.set(line, (JSON.parse(text) as { readonly id: string }).id);
    }
  }
  return found;
}

async function atomArchive(base: string, share: number): Promise<string> {
  const [, archives = '1'] = /_archive\/(\d+)\.atom/.exec(await get(`${base}changes.atom`)) ?? [];
  return `${base}changes/_archive/${Math.max(1, Math.round(Number(archives) * share))}.atom`;
}

async function newestArchive(base: string): Promise<string> {
  const feed = JSON.parse(await get(`${base}diff/latest.json`)) as { readonly archive_url: string };
  return new URL(feed.archive_url, base).href;
}
