import type { Socket } from 'node:net';
import { drip, headOf, type OriginServer, pour, type RawRequest, respond, startOriginServer } from './origin-server.ts';

/** What origins do to silence, starve or confuse others. */
export const ORIGIN_ATTACKS = [
  'a 429 of ten years',
  'a 503 of ten years',
  'a redirect to what pauses another',
  'a robots.txt that leads to what pauses another',
  'a sitemap of others',
  'an endless body',
  'a slow body',
  'no answer',
  'redirects without end',
  'a reset',
] as const;
export type OriginAttack = (typeof ORIGIN_ATTACKS)[number];

const TEN_YEARS = '315360000';
const HTML = { 'content-type': 'text/html' };
const XML = { 'content-type': 'application/xml' };

export interface StrangerOrigin extends OriginServer {
  readonly id: string;
  readonly attack?: OriginAttack;
  readonly source: object;
  /** When its page was asked for. */
  readonly looks: readonly number[];
  edits: number;
}

export interface OriginOptions {
  readonly index: number;
  readonly intervalSeconds: number;
}

/** A page that is edited, watched as a page or as a site. Its `/trap` asks for a pause of ten years. */
export async function startHonest({ index, intervalSeconds }: OriginOptions): Promise<StrangerOrigin> {
  const looks: number[] = [];
  const server = await startOriginServer((socket, { path }) => {
    if (path === '/page') {
      looks.push(performance.now());
      respond(socket, { headers: HTML, body: pageOf(origin.edits) });
    } else if (path === '/robots.txt')
      respond(socket, { body: `User-agent: *\nAllow: /\nSitemap: ${server.origin}map.xml\n` });
    else if (path === '/map.xml') respond(socket, { headers: XML, body: mapOf([`${server.origin}page`]) });
    else if (path.startsWith('/trap')) respond(socket, { status: 429, headers: { 'retry-after': TEN_YEARS } });
    else respond(socket, { status: 404 });
  }, addressOf(index));
  const id = `honest_${index}`;
  const source =
    index % 2 === 0
      ? { id, kind: 'page', url: `${server.origin}page`, intervalSeconds }
      : { id, kind: 'site', url: server.origin, intervalSeconds };
  const origin: StrangerOrigin = Object.assign(server, { id, source, looks, edits: 0 });
  return origin;
}

/** An origin that does one of the attacks, on the source that it is and by it on its victims. */
export async function startHostile(
  attack: OriginAttack,
  { index, intervalSeconds, victims }: OriginOptions & { readonly victims: readonly string[] },
): Promise<StrangerOrigin> {
  const looks: number[] = [];
  let turn = 0;
  const victim = () => victims[turn++ % victims.length] ?? '';
  const server = await startOriginServer((socket, request) => {
    looks.push(performance.now());
    answer(attack, { socket, request, victim, victims });
  }, addressOf(index));
  const id = `hostile_${index}`;
  const isSite = attack === 'a sitemap of others';
  const source = isSite
    ? { id, kind: 'site', url: server.origin, intervalSeconds }
    : { id, kind: 'page', url: `${server.origin}page`, intervalSeconds };
  return Object.assign(server, { id, attack, source, looks, edits: 0 });
}

interface Attacking {
  readonly socket: Socket;
  readonly request: RawRequest;
  readonly victim: () => string;
  readonly victims: readonly string[];
}

const NOT_THERE = { status: 404 };

function answer(attack: OriginAttack, attacking: Attacking): void {
  const { socket, request, victim } = attacking;
  if (request.path !== '/robots.txt' || attack === 'no answer') ANSWERS[attack](attacking);
  else if (attack === 'a robots.txt that leads to what pauses another') redirect(socket, `${victim()}trap`);
  else respond(socket, NOT_THERE);
}

const ANSWERS: Readonly<Record<OriginAttack, (attacking: Attacking) => void>> = {
  'a 429 of ten years': ({ socket }) => respond(socket, { status: 429, headers: { 'retry-after': TEN_YEARS } }),
  'a 503 of ten years': ({ socket }) => respond(socket, { status: 503, headers: { 'retry-after': TEN_YEARS } }),
  'a redirect to what pauses another': ({ socket, victim }) => redirect(socket, `${victim()}trap`),
  'a robots.txt that leads to what pauses another': ({ socket, victim }) => redirect(socket, `${victim()}trap`),
  'a sitemap of others': ({ socket, request, victims }) => {
    const urls = victims.flatMap((origin) => [`${origin}trap/a`, `${origin}page`]);
    if (request.path === '/sitemap.xml') respond(socket, { headers: XML, body: mapOf(urls) });
    else respond(socket, { headers: HTML, body: linksTo(urls) });
  },
  'an endless body': ({ socket }) => {
    socket.write(headOf(200, { ...HTML, 'transfer-encoding': 'chunked' }));
    pour(socket, Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`));
  },
  'a slow body': ({ socket }) => {
    socket.write(headOf(200, { ...HTML, 'content-length': '100000' }));
    drip(socket, endless('x'), 500);
  },
  'no answer': () => {},
  'redirects without end': ({ socket, request: { path } }) =>
    redirect(socket, `/page?${'a'.repeat((path.length + 1) % 50)}`),
  'a reset': ({ socket }) => socket.resetAndDestroy(),
};

function redirect(socket: Socket, location: string): void {
  respond(socket, { status: 302, headers: { location } });
}

function* endless(text: string): Generator<string> {
  for (;;) yield text;
}

/** One loopback address for each: turns are given by host. */
function addressOf(index: number): string {
  return `127.20.${Math.floor(index / 200)}.${(index % 200) + 1}`;
}

export function pageOf(edit: number): string {
  const part = (number: number, text: string) => `<h2 id="s${number}">Part ${number}</h2><p>${text}</p>`;
  const same = [1, 2, 3].map((number) => part(number, `Part ${number} of this page stays as it is for ever.`));
  return `<!doctype html><html><head><title>A page</title></head><body><main><h1>A page</h1>${part(0, `This is edition ${edit} of the page.`)}${same.join('')}</main></body></html>`;
}

function linksTo(urls: readonly string[]): string {
  const links = urls.map((url) => `<li><a href="${url}">${url}</a></li>`).join('');
  return `<!doctype html><html><head><title>Links</title></head><body><main><h1>Links</h1><p>Some places.</p><ul>${links}</ul></main></body></html>`;
}

function mapOf(urls: readonly string[]): string {
  const entries = urls.map((url) => `<url><loc>${url}</loc></url>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
}
