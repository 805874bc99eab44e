import type { SeenRequest } from '../support/many-sites.ts';
import { type ClusterHub, COOLDOWN_MS } from './cluster-hub-world.ts';
import { addTurns, judgeTurns } from './hub-turns.ts';

/** Every count has to be 0. */
export interface ClusterHubVerdict {
  /** Edits that no reader was told of. */
  readonly lost: number;
  readonly doubled: number;
  readonly invented: number;
  /** Holes in the numbers, ids that go back, histories that fork, and readers who know different things. */
  readonly reordered: number;
  readonly 'bytes changed': number;
  readonly torn: number;
  readonly 'bad answers': number;
  readonly 'feeds that differ from the log': number;
  /** Acknowledged, and not in its place in the journal. */
  readonly 'acknowledged without commit': number;
  /** Made under a token when a newer one had written. */
  readonly 'stale writes accepted': number;
  /** Requests that began while another of the same host was answered, or sooner than its pause. */
  readonly 'turns broken': number;
  /** Requests of two processes to one host at the same time, of any kind. */
  readonly 'hosts asked by two at once': number;
  readonly 'off the clock': number;
  readonly 'ended by themselves': number;
}

export interface ClusterHubFigures {
  readonly acked: number;
  readonly refused: number;
  readonly requests: number;
  readonly shortestPauseMs: number;
}

/** Behind the end of all of it. */
export function judgeClusterHub(
  hub: ClusterHub,
  feedsDiffer: number,
): { readonly verdict: ClusterHubVerdict; readonly figures: ClusterHubFigures } {
  const { world, audience, journal, places, ways } = hub;
  const { ledger, web } = world;
  const witnessed = places.flatMap(({ witness }) => witness.all());
  const acked = witnessed.flatMap((each) => (each.is === 'acked' ? [each] : []));
  const turns = addTurns(web.hosts.map(({ requests }) => judgeTurns(requests, COOLDOWN_MS)));
  const byTwo = ways.tellApart ? web.hosts.flatMap(({ requests }) => askedByTwo(requests)) : [];
  const ended = places.flatMap(({ endedByThemselves }) => endedByThemselves);
  for (const line of [...turns.complaints, ...byTwo, ...ended]) ledger.complain(line);
  const { wrong } = audience;
  return {
    verdict: {
      ...ledger.wrong,
      reordered: wrong.holes + journal.wrong.holes,
      'bytes changed': wrong.changedBytes + journal.wrong.changed,
      torn: wrong.torn,
      'bad answers': wrong.badAnswers,
      'feeds that differ from the log': feedsDiffer,
      'acknowledged without commit': acked.filter(({ rev, sha256 }) => journal.seen.get(rev) !== sha256).length,
      'stale writes accepted': countStale(acked),
      'turns broken': turns.atOnce + turns.tooSoon,
      'hosts asked by two at once': byTwo.length,
      'off the clock': audience.offTheClock,
      'ended by themselves': ended.length,
    },
    figures: {
      acked: acked.length,
      refused: witnessed.filter(({ is }) => is === 'refused').length,
      requests: turns.requests,
      shortestPauseMs: Math.round(turns.shortestMs),
    },
  };
}

interface Acked {
  readonly rev: number;
  readonly task?: string;
  readonly token?: number;
}

export function countStale(acked: readonly Acked[]): number {
  const newest = new Map<string, number>();
  let stale = 0;
  for (const { task, token } of acked.toSorted((a, b) => a.rev - b.rev)) {
    if (task === undefined || token === undefined) continue;
    if (token < (newest.get(task) ?? 0)) stale += 1;
    else newest.set(task, token);
  }
  return stale;
}

/** One line for each request that began while another process was answered by the same host. */
export function askedByTwo(requests: readonly SeenRequest[]): string[] {
  const inOrder = requests.toSorted((a, b) => a.startMs - b.startMs);
  let last: SeenRequest | undefined;
  const complaints: string[] = [];
  for (const request of inOrder) {
    if (last !== undefined && last.from !== request.from && request.startMs < last.endMs) {
      complaints.push(`${request.path} was asked for by ${request.from} while ${last.from} had ${last.path}`);
    }
    if (last === undefined || request.endMs > last.endMs) last = request;
  }
  return complaints;
}
