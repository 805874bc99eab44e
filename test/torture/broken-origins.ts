import { AICF_DISCOVERY_PATH } from '../../src/codecs/aicf/wire.ts';
import { extractPage } from '../../src/extract/extract-page.ts';
import { startChild, type TortureReport } from './harness.ts';
import { BROKEN_ORIGINS, GOOD_ORIGINS, type OriginKind } from './origin-kinds.ts';
import { type OriginServer, respond, startOriginServer } from './origin-server.ts';

export interface OriginsReport extends TortureReport {
  readonly extraRssBytes: number;
  /** The longest time that the second visit of a broken origin took. */
  readonly slowestMs: number;
  /** One line per thing that went wrong. */
  readonly complaints: readonly string[];
}

export interface OriginsOptions {
  /** For a whole exchange. */
  readonly deadlineMs: number;
  /** Pages that are read before memory is measured; 100 unless said otherwise. */
  readonly warmUps?: number;
}

export const MAX_EXTRA_RSS_BYTES = 32 * 1024 * 1024;
/** A poll does more than one exchange, on a machine that does more than this. */
const SLACK_MS = 2000;
const FEED_PATH = '/ai-changes.ndjson';
const WELL: OriginKind = { name: 'well', answer: ({ socket, page }) => respond(socket, { body: page }) };

/**
 * Follows one page of each kind of origin three times: well, broken, and well again.
 *
 * The second visit must hand on nothing and the third exactly what the second withheld; of a good origin the second
 * visit hands on the new page. The follower is a process of its own, so that its memory is its own.
 */
export async function tortureOrigins({ deadlineMs, warmUps = 100 }: OriginsOptions): Promise<OriginsReport> {
  await using forbidden = await startOriginServer((socket) => respond(socket, { body: pageHtml(2) }), '127.0.0.2');
  const origins: TestOrigin[] = [];
  try {
    for (const kind of [...BROKEN_ORIGINS, ...GOOD_ORIGINS]) {
      origins.push(await startTestOrigin(kind, { deadlineMs, forbidden: forbidden.origin }));
    }
    const { polls, extraRssBytes } = await followAll(origins, { deadlineMs, warmUps });
    return judgeOrigins({ origins, polls, extraRssBytes, deadlineMs, reached: forbidden.connections });
  } finally {
    for (const origin of origins) await origin[Symbol.asyncDispose]();
  }
}

export function describeOrigins({ rounds, hits, wrong, extraRssBytes, slowestMs }: OriginsReport): string {
  const counts = Object.entries(wrong).map(([what, count]) => `${count} ${what}`);
  const verdict = Object.values(wrong).every((count) => count === 0) && hits === rounds ? 'ok' : 'FAILED';
  const memory = `${(extraRssBytes / 1024 / 1024).toFixed(1)} MB extra RSS`;
  return `broken origins: ${rounds} kinds, ${hits} served: ${counts.join(', ')}; ${memory}, slowest ${Math.round(slowestMs)} ms: ${verdict}`;
}

/** What a follower did at one visit. */
export interface Poll {
  readonly name: string;
  readonly visit: number;
  readonly events: readonly { readonly id: string; readonly markdown?: string; readonly contentError?: string }[];
  readonly error?: { readonly name: string; readonly message: string };
  readonly ms: number;
}

export interface TestOrigin extends AsyncDisposable {
  readonly kind: OriginKind;
  readonly server: OriginServer;
  /** How often the page was asked for at the second visit, and answered as this kind does. */
  readonly served: number;
}

export interface OriginsEvidence {
  readonly origins: readonly Pick<TestOrigin, 'kind' | 'served'>[];
  readonly polls: readonly Poll[];
  readonly extraRssBytes: number;
  readonly deadlineMs: number;
  /** Connections to the address that no origin may lead to. */
  readonly reached: number;
}

export function judgeOrigins({ origins, polls, extraRssBytes, deadlineMs, reached }: OriginsEvidence): OriginsReport {
  const wrong = { falseChanges: 0, lost: 0, refused: 0, late: 0, reached, overMemory: 0 };
  const complaints: string[] = [];
  const count = (what: keyof typeof wrong, kind: OriginKind, poll: Poll | undefined) => {
    wrong[what] += 1;
    const ids = poll?.events.map(({ id, markdown }) => `${id} (${markdown?.length ?? 'no'} characters)`);
    complaints.push(`${kind.name}: ${what}: ${ids?.join(', ')} ${poll?.error?.message ?? ''} ${poll?.ms} ms`);
  };
  let slowestMs = 0;
  for (const { kind } of origins) {
    const [first, second, third] = [1, 2, 3].map((visit) =>
      polls.find((poll) => poll.name === kind.name && poll.visit === visit),
    );
    const isBroken = kind.error !== undefined;
    if (!toldExactly(first, 1)) count('refused', kind, first);
    if (isBroken && (second?.events.length !== 0 || second.error?.name !== 'EventsWithheldError')) {
      count('falseChanges', kind, second);
    }
    if (isBroken && !toldExactly(third, 2)) count('lost', kind, third);
    if (!isBroken && !toldExactly(second, 2)) count('refused', kind, second);
    const ms = second?.ms ?? Number.POSITIVE_INFINITY;
    if (isBroken) slowestMs = Math.max(slowestMs, ms);
    if (ms > deadlineMs + SLACK_MS) count('late', kind, second);
  }
  if (extraRssBytes > MAX_EXTRA_RSS_BYTES) wrong.overMemory += 1;
  const hits = origins.filter(({ served }) => served > 0).length;
  return { name: 'broken origins', rounds: origins.length, hits, wrong, extraRssBytes, slowestMs, complaints };
}

function toldExactly(poll: Poll | undefined, edition: number): boolean {
  if (poll === undefined || poll.error !== undefined) return false;
  const [event, ...others] = poll.events;
  const { markdown } = extractPage(pageHtml(edition), 'http://page.example/');
  return others.length === 0 && event?.id === idOf(edition) && event.markdown === markdown;
}

interface Surroundings {
  readonly deadlineMs: number;
  readonly forbidden: string;
}

/** A visit begins when the discovery document is asked for; at the second one, the page answers as its kind does. */
async function startTestOrigin(kind: OriginKind, surroundings: Surroundings): Promise<TestOrigin> {
  let visit = 0;
  let served = 0;
  const server = await startOriginServer((socket, request) => {
    const origin = `http://${request.headers.host}`;
    if (request.path === '/robots.txt') return respond(socket, { status: 404 });
    if (request.path === AICF_DISCOVERY_PATH) {
      visit += 1;
      const body = JSON.stringify({ aicf_version: '0.1', self: origin + FEED_PATH });
      return respond(socket, { headers: { 'content-type': 'application/json' }, body });
    }
    if (request.path === FEED_PATH) {
      const body = [1, 2].slice(0, visit).map((edition) => eventLine(edition, `${origin}/page`));
      return respond(socket, { headers: { 'content-type': 'application/x-ndjson' }, body: body.join('') });
    }
    const page = Buffer.from(pageHtml(Math.min(visit, 2)));
    if (visit !== 2) return respond(socket, { headers: { 'content-type': 'text/html' }, body: page });
    served += 1;
    kind.answer({ socket, request, page, ...surroundings });
  });
  return {
    kind,
    server,
    get served() {
      return served;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function followAll(
  origins: readonly TestOrigin[],
  { deadlineMs, warmUps }: Required<OriginsOptions>,
): Promise<{ polls: Poll[]; extraRssBytes: number }> {
  const named = origins.map(({ kind, server }) => `${kind.heavy ? '!' : ''}${kind.name}=${server.origin}`);
  await using warmUp = await startTestOrigin(WELL, { deadlineMs, forbidden: '' });
  const child = startChild('broken-origins-child.mjs', [`${deadlineMs}`, `${warmUps}`, warmUp.server.origin, ...named]);
  const ended = await child.ended;
  if (ended !== 0) throw new Error(`The follower ended with ${ended}.`);
  const lines = child.lines.map((line) => JSON.parse(line) as Poll | { extraRssBytes: number });
  const [memory] = lines.filter((line) => 'extraRssBytes' in line);
  return {
    polls: lines.filter((line) => 'visit' in line),
    extraRssBytes: memory?.extraRssBytes ?? Number.POSITIVE_INFINITY,
  };
}

function idOf(edition: number): string {
  return `0${edition}`;
}

function eventLine(edition: number, url: string): string {
  const event = { id: idOf(edition), action: 'update', url, time: `2025-08-21T12:00:0${edition}Z` };
  return `${JSON.stringify(event)}\n`;
}

/** Long enough that half of it is still a page. */
export function pageHtml(edition: number): string {
  const sections = Array.from({ length: 40 }, (_, index) => {
    const words = `Edition ${edition} says in part ${index} what nobody else says, number ${index * 7919 + edition}. `;
    return `<h2 id="part-${index}">Part ${index}</h2>\n<p>${words.repeat(6)}</p>`;
  });
  return `<!doctype html><html><head><title>Edition ${edition}</title></head><body><main><h1>A long page</h1>
${sections.join('\n')}
</main></body></html>`;
}
