import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { TidingsError } from '../../errors/tidings-error.ts';
import { errorProblem } from '../../hub/http/error-problem.ts';
import { isPushed } from '../../hub/http/pushed-body.ts';
import type { HubRequest, HubResponse, Route } from '../../hub/http/route.ts';
import type { HubLogger, LogFields } from '../../hub/watch/logger.ts';
import type { RouteMetrics } from '../../hub/watch/metrics.ts';
import { leaveBody, writeAnswer } from './answer.ts';
import { AnswerHeads } from './answer-heads.ts';
import type { OpenConnections } from './open-connections.ts';
import { dropBody } from './stream.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** What the requests of one route have in common. */
export interface RouteTraits {
  readonly cors: boolean;
  readonly metrics: RouteMetrics;
}

/** A request that waits for its answer. */
export interface Asked {
  readonly raw: ServerResponse;
  readonly route: RouteTraits;
  readonly startedAt: number;
}

export interface ExchangeParts {
  readonly logger: HubLogger;
  /** Whether every request is logged, not only those that fail. */
  readonly logRequests: boolean;
  readonly hubId?: string | undefined;
  readonly proxies: TrustedProxies;
  readonly connections: OpenConnections;
  readonly now?: (() => number) | undefined;
}

/** Carries answers from handlers to connections, counts them, and logs those that are faults. */
export class FastifyExchange {
  /** Connections with an answer that is not whole yet. */
  readonly busy = new WeakSet<Duplex>();
  /** Set when the server stops: every connection ends with its current answer. */
  isClosing = false;
  readonly #parts: ExchangeParts;
  readonly #openHeads: AnswerHeads;
  readonly #plainHeads: AnswerHeads;

  constructor(parts: ExchangeParts) {
    const { hubId, now } = parts;
    this.#parts = parts;
    this.#openHeads = new AnswerHeads({ cors: true, hubId, now });
    this.#plainHeads = new AnswerHeads({ cors: false, hubId, now });
  }

  /** Runs a handler and writes what it returns, at once if that is there at once. */
  run(asked: Asked, route: Pick<Route, 'handle'>, request: HubRequest): void {
    let answer: HubResponse | Promise<HubResponse>;
    try {
      answer = route.handle(request);
    } catch (error) {
      this.#fail(asked, error);
      return;
    }
    if (!(answer instanceof Promise)) {
      this.#answer(asked, answer);
      return;
    }
    this.#await(asked, answer, (late) => this.#answer(asked, late));
  }

  /** Answers a request that no handler sees, and does not wait for the rest of it. */
  refuse(asked: Asked, answer: HubResponse): void {
    this.#write(asked, answer, leaveBody(asked.raw));
  }

  #answer(asked: Asked, answer: HubResponse): void {
    if (answer.error !== undefined) this.#report(asked, answer.status, answer.error);
    this.#write(asked, answer, false);
  }

  #write(asked: Asked, answer: HubResponse, close: boolean): void {
    const { raw, route } = asked;
    let written: undefined | Promise<void>;
    if (raw.destroyed) {
      dropBody(answer.body);
      this.#finish(asked, answer.status);
      return;
    }
    try {
      const heads = route.cors ? this.#openHeads : this.#plainHeads;
      written = writeAnswer(raw, answer, { heads, close: close || this.isClosing });
    } catch (error) {
      this.#fail(asked, error);
      return;
    }
    if (isPushed(answer.body) && raw.req.method !== 'HEAD') this.#keepStream(raw);
    if (written === undefined) {
      this.#finish(asked, answer.status);
      return;
    }
    this.#await(asked, written, () => this.#finish(asked, answer.status));
  }

  /** Its answer never ends, and no other one follows it. */
  #keepStream({ req: { socket } }: ServerResponse): void {
    this.busy.add(socket);
    this.#parts.connections.becomesStream(socket);
  }

  #fail(asked: Asked, error: unknown): void {
    const { raw } = asked;
    const answer = errorProblem(error);
    const hasGone = raw.destroyed && !raw.headersSent;
    // What fails because nobody waits for it is no fault.
    if (!hasGone) this.#report(asked, answer.status, error);
    if (raw.destroyed || raw.headersSent) this.#finish(asked, raw.headersSent ? raw.statusCode : answer.status);
    else this.#write(asked, answer, false);
  }

  #finish(asked: Asked, status: number): void {
    const { raw, route, startedAt } = asked;
    const tookMs = performance.now() - startedAt;
    route.metrics.answered(raw.req.method ?? 'GET', status, tookMs / 1000);
    if (!this.#parts.logRequests) return;
    const fields = { ...this.#fieldsOf(asked), status, tookMs: Math.round(tookMs * 100) / 100 };
    this.#parts.logger.debug(fields, 'A request was answered');
  }

  #report(asked: Asked, status: number, error: unknown): void {
    const { logger } = this.#parts;
    const fields = { ...this.#fieldsOf(asked), status };
    if (!(error instanceof TidingsError)) {
      logger.error({ ...fields, error }, 'A request failed by a fault of the hub');
    } else if (status >= 500) {
      const { name: code, message } = error;
      logger.warn({ ...fields, code, error: message.replace(URL_QUERY, '$1') }, 'A request could not be served');
    }
  }

  /** Without the query, which may hold what nobody else should read. */
  #fieldsOf({ raw: { req } }: Asked): LogFields {
    const path = req.url?.split('?', 1)[0]?.slice(0, LOGGED_CHARACTERS);
    return { method: req.method, path, client: this.#parts.proxies.clientIp(req) };
  }

  #await<T>(asked: Asked, promise: Promise<T>, next: (value: T) => void): void {
    const { socket } = asked.raw.req;
    this.busy.add(socket);
    promise.finally(() => this.busy.delete(socket)).then(next, (error: unknown) => this.#fail(asked, error));
  }
}

const LOGGED_CHARACTERS = 200;
/** The message of an error may contain a requested address with its query. */
const URL_QUERY = /(\bhttps?:\/\/[^\s?#]*)[?#]\S*/gi;
