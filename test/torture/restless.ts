import type { ServerResponse } from 'node:http';
import { openVisitLab } from '../support/hub-visits.ts';
import { type LiveSite, type Served, sitemapOf, startLiveSite } from '../support/live-site.ts';
import type { TortureReport } from './harness.ts';
import { Random } from './hub-random.ts';
import { LOGIN_PAGE, loginFor, RESTLESS_ANSWERS } from './restless-answers.ts';
import { RESTLESS_BLOCKS } from './restless-blocks.ts';
import { RestlessJudge, type Verdict } from './restless-judge.ts';
import type { Asked, RestlessKind } from './restless-kind.ts';
import { type Extras, restlessHtml } from './restless-page.ts';
import { type Edit, editsOf, FOLLOWED_PAGE, seedOf, type TruePage, truthAfter } from './restless-truth.ts';

/** A whole site by its sitemap, or one page of it. */
export type Shape = 'site' | 'page';

export interface RestlessOptions {
  readonly kinds: readonly RestlessKind[];
  readonly looks: number;
  /** Another one is another life of the same kinds. */
  readonly seed?: number;
}

export interface RestlessResult extends Verdict {
  readonly kind: string;
  readonly shape: Shape;
  /** Answers that were not the page as it is meant. */
  readonly served: number;
}

export interface RestlessReport extends TortureReport {
  readonly looks: number;
  readonly seed: number;
  readonly results: readonly RestlessResult[];
}

export const RESTLESS_KINDS: readonly RestlessKind[] = [...RESTLESS_BLOCKS, ...RESTLESS_ANSWERS];
/** Over the life of a source, until what is restless in it is known. */
export const MAX_FALSE = 2;
/** Two looks at the same site are so far apart: what stays for a day is seen to stay. */
const BETWEEN_LOOKS_MS = 6 * 60 * 60 * 1000;

/** Looks so often at one origin of each kind while its authors edit it, and counts what is told and no edit, and edits that are not told. */
export async function tortureRestless({ kinds, looks, seed = 0 }: RestlessOptions): Promise<RestlessReport> {
  const results: RestlessResult[] = [];
  for (const kind of kinds) {
    results.push(await watchRestless(kind, 'site', looks, seed));
    if (kind.sitemap === undefined) results.push(await watchRestless(kind, 'page', looks, seed));
  }
  const sum = (count: (result: RestlessResult) => number) => results.reduce((all, result) => all + count(result), 0);
  return {
    name: 'restless origins',
    rounds: results.length,
    hits: results.filter(({ served }) => served > 0).length,
    looks,
    seed,
    results,
    wrong: {
      'sources with more than two false changes': sum((result) => Number(isOverTwo(result))),
      'lost edits': sum(({ lost }) => lost),
    },
  };
}

/** The table of all kinds. */
export function describeRestless({ name, rounds, hits, looks, seed, results, wrong }: RestlessReport): string {
  const counts = Object.entries(wrong).map(([what, count]) => `${count} ${what}`);
  const isGood = hits === rounds && Object.values(wrong).every((count) => count === 0);
  return [
    `${name} (seed ${seed}): ${rounds} sources, ${hits} restless, ${looks} looks each: ${counts.join(', ')}: ${isGood ? 'ok' : 'FAILED'}`,
    '| kind | shape | false | lost | doubled |',
    '|---|---|---|---|---|',
    ...results.map((row) => `| ${row.kind} | ${row.shape} | ${row.false} | ${row.lost} | ${row.doubled} |`),
    ...results.filter(isWrong).flatMap(complaintsOf),
  ].join('\n');
}

function isOverTwo(result: RestlessResult): boolean {
  return result.false + result.doubled > MAX_FALSE;
}

function isWrong(result: RestlessResult): boolean {
  return isOverTwo(result) || result.lost > 0;
}

function complaintsOf({ kind, shape, complaints }: RestlessResult): readonly string[] {
  return [`${kind} (${shape}):`, ...complaints.map((line) => `  ${line}`)];
}

export async function watchRestless(
  kind: RestlessKind,
  shape: Shape,
  looks: number,
  seed = 0,
): Promise<RestlessResult> {
  const edits = editsOf(looks).filter(({ path }) => shape === 'site' || path === FOLLOWED_PAGE);
  await using site = await startLiveSite();
  const origin = new RestlessOrigin(site, kind, { looks, seed });
  await using lab = await openVisitLab(
    shape === 'site'
      ? { id: 'docs', kind: 'site', url: site.url }
      : { id: 'docs', kind: 'page', urls: [new URL(FOLLOWED_PAGE, site.url).href] },
  );
  const judge = new RestlessJudge(edits, kind.cleanAnchor);
  origin.show(0);
  const first = await lab.visit();
  if (first.is !== 'read') throw new Error(`The first look at "${kind.name}" failed.`);
  for (let look = 1, heard = lab.log.length; look <= looks; look += 1) {
    origin.show(look);
    lab.advance(BETWEEN_LOOKS_MS);
    await lab.visit();
    const changes = lab.log.slice(heard);
    heard = lab.log.length;
    judge.hear(
      look,
      changes.map((change) => ({ ...change, url: new URL(change.url).pathname })),
    );
  }
  return { kind: kind.name, shape, served: origin.served, ...judge.verdict() };
}

/** The site of a restless kind, look by look. */
class RestlessOrigin {
  served = 0;
  readonly #site: LiveSite;
  readonly #kind: RestlessKind;
  readonly #looks: number;
  readonly #seed: number;
  #order = 0;

  constructor(site: LiveSite, kind: RestlessKind, { looks, seed }: { readonly looks: number; readonly seed: number }) {
    this.#site = site;
    this.#kind = kind;
    this.#looks = looks;
    this.#seed = seed;
  }

  show(look: number): void {
    this.#order = 0;
    const edits = this.#madeUntil(look);
    const truth = truthAfter(edits);
    const everything = new Set([...truthAfter([]).keys(), ...truth.keys()]);
    for (const path of everything) {
      this.#site.put({
        [path]: (response) => send(this.#answer(look, path, edits), response),
        [loginFor(path)]: LOGIN_PAGE,
      });
    }
    // An origin that does not know what it has not got goes on to list it.
    const paths = this.#kind.removed === undefined ? [...truth.keys()] : [...everything];
    const list = this.#kind.sitemap?.(this.#asked(look, '/sitemap.xml'), paths);
    if (list !== undefined) this.served += 1;
    this.#site.put({ '/sitemap.xml': list ?? sitemapOf(this.#site.url, paths) });
  }

  #madeUntil(look: number): readonly Edit[] {
    return editsOf(this.#looks).filter((edit) => edit.look <= look);
  }

  #answer(look: number, path: string, edits: readonly Edit[]): Served {
    const truth = truthAfter(edits);
    const own = edits.filter((edit) => edit.path === path);
    const asked: Asked = {
      ...this.#asked(look, path),
      sinceEdit: own.length === 0 ? undefined : look - (own.at(-1)?.look ?? 0),
      html: (extras, voice) => htmlOf(path, truthAfter(edits, voice), extras) ?? '',
      former: () => htmlOf(path, truthAfter(edits.filter((edit) => edit !== own.at(-1)))) ?? GONE,
    };
    this.#order += 1;
    const isThere = truth.has(path);
    const answer = isThere ? this.#kind.answer(asked) : this.#kind.removed?.(asked);
    if (answer !== undefined) this.served += 1;
    return answer ?? (isThere ? asked.html() : GONE);
  }

  #asked(look: number, path: string): Omit<Asked, 'html' | 'former'> {
    const random = (...names: readonly (string | number)[]) =>
      new Random(seedOf([this.#kind.name, ...names].join('\n')) ^ this.#seed);
    return {
      base: this.#site.url,
      path,
      look,
      looks: this.#looks,
      order: this.#order,
      sinceEdit: undefined,
      byLook: random(look),
      byPage: random(look, path),
      byRequest: random(look, path, this.#order),
    };
  }
}

const GONE: Served = { status: 404, body: '<h1>Not found</h1>' };

function htmlOf(path: string, truth: ReadonlyMap<string, TruePage>, extras: Extras = {}): string | undefined {
  const page = truth.get(path);
  return page === undefined ? undefined : restlessHtml(page, truth.values(), extras);
}

/** Without validators, as pages that are made for each request are sent. */
function send(served: Served, response: ServerResponse): void {
  if (typeof served === 'function') served(response);
  else if (typeof served === 'string' || served instanceof Uint8Array) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(served);
  } else {
    response.writeHead(served.status, { 'content-type': 'text/html', ...served.headers }).end(served.body ?? '');
  }
}
