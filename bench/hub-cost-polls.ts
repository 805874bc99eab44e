import { setTimeout as pause } from 'node:timers/promises';
import { Content, startManySites, type VirtualHost } from '../test/support/many-sites.ts';
import { sayProgress } from './hub-cost-build.ts';
import { startMonitoredHub } from './hub-cost-hub.ts';
import { cpuSecondsOf, residentMegabytesOf, until } from './hub-processes.ts';

const FIRST_READING_MS = 150_000;
const SAID_EVERY_MS = 15_000;
const REST_MS = 5000;
const PAGE = '<!doctype html><title>A page</title><main><h1>A page</h1><p>It says the same to everyone.</p></main>';

interface PollSizes {
  readonly sources: number;
  readonly seconds: number;
}

/** The cost of a look that finds nothing new: each source is asked once a minute, and answers 304. */
export async function quietPolls(folder: string, { sources, seconds }: PollSizes) {
  await using web = await startManySites(sources);
  const content = new Content();
  content.put('/', PAGE);
  for (const host of web.hosts) host.content = content;
  const watched = web.hosts.map(({ url }, at) => ({
    id: `page_${at}`,
    kind: 'page',
    urls: [url],
    intervalSeconds: 60,
  }));
  const hub = startMonitoredHub(folder, watched);
  const turns = ({ requests }: VirtualHost) => requests.filter(({ of }) => of === 'turn').length;
  const all = () => web.hosts.reduce((total, host) => total + turns(host), 0);
  const missing = (looks: number) => web.hosts.reduce((count, host) => count + Number(turns(host) < looks), 0);
  // The first look reads a page, the second one confirms that nothing else changed. Missing looks happen during the polls.
  for (const looks of [1, 2]) {
    const say = () => sayProgress(`${sources - missing(looks)} of ${sources} sources were looked at ${looks} times`);
    const saying = setInterval(say, SAID_EVERY_MS);
    await until(async () => missing(looks) === 0, FIRST_READING_MS).catch(() => {});
    clearInterval(saying);
  }
  const unread = missing(2);
  await pause(REST_MS);
  const before = { polls: all(), cpu: cpuSecondsOf(hub.pid), written: hub.written() };
  await pause(seconds * 1000);
  const polls = all() - before.polls;
  const perPoll = (amount: number) => Math.round(amount / Math.max(1, polls));
  const figures = {
    sources,
    unread,
    polls,
    bytesPerPoll: perPoll(hub.written() - before.written),
    cpuUsPerPoll: perPoll((cpuSecondsOf(hub.pid) - before.cpu) * 1e6),
    residentMegabytes: residentMegabytesOf(hub.pid),
    blockCpuMs: Math.round(hub.blocks().cpuMs),
  };
  await hub.stop();
  return figures;
}
