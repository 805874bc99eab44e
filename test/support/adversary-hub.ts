import { createServer } from 'node:http';
import { encodeDiscovery } from '../../src/codecs/aicf/encode.ts';
import { encodeHex } from '../../src/codecs/primitives/hex.ts';
import { encodeEntry } from '../../src/codecs/tlog/encode-entry.ts';
import type { LogEntry } from '../../src/codecs/tlog/entry.ts';
import { signCheckpoint } from '../../src/codecs/tlog/sign-checkpoint.ts';
import { testKey } from '../../src/codecs/tlog/tlog-fixtures.contract.ts';
import { encodeVerifierKey } from '../../src/codecs/tlog/verifier-key.ts';
import { aicfLine } from '../../src/dialects/aicf/events/aicf-line.ts';
import type { Change } from '../../src/model/change.ts';
import { sha256 } from '../../src/tlog/sha256.ts';
import { BuiltLog } from './built-log.ts';
import { changeOf } from './change-of.ts';
import { listenOnFreshPort } from './fresh-port.ts';

const PREFIX = '.well-known/tidings/';
/** Fields of a change that another history states differently. */
type Telling = { readonly [field in 'url' | 'action' | 'checksum']?: string };

/** A history of changes with its log and its feed. It is true until a test changes its files. */
export class ToldHistory {
  readonly files = new Map<string, Uint8Array>();
  readonly changes: Change[] = [];
  readonly log = new BuiltLog();
  readonly #base: string;
  readonly #key: ReturnType<typeof testKey>;

  /** `first` chooses the test key that signs. */
  constructor(base: string, first = 0) {
    this.#base = base;
    const origin = `${new URL(base).host}/.well-known/tidings`;
    this.#key = testKey(first, 'log', origin);
    this.write('vkey', `${encodeVerifierKey(this.#key.key)}\n`);
    const earlier = `sha256:${encodeHex(sha256(new Uint8Array()))}`;
    this.enter({ v: 1, type: 'begin', origin, time: timeOf(0), format: 'tidings-log@v1', count: 0, earlier });
  }

  get vkey(): string {
    return encodeVerifierKey(this.#key.key);
  }

  /** Appends changes with their entries, and writes the feed and a checkpoint. */
  grow(count: number, telling: Telling = {}): this {
    for (let at = 0; at < count; at += 1) {
      const seq = this.changes.length + 1;
      const url = `${this.#base}page-${seq}`;
      const checksum = `sha256:${encodeHex(sha256(Buffer.from(`${seq}`)))}`;
      this.changes.push(
        changeOf({ seq, id: idOf(seq), url, time: timeOf(seq), checksum, ...(telling as Partial<Change>) }),
      );
    }
    this.enter(...this.changes.slice(-count).map(changeEntry));
    return this.tell();
  }

  /** Appends entries of any kind, and a checkpoint. */
  enter(...entries: readonly (LogEntry | string)[]): this {
    this.log.append(...entries.map((entry) => (typeof entry === 'string' ? entry : encodeEntry(entry, sha256))));
    return this.sign();
  }

  /** Writes a file, and the entry that binds it. */
  bind(path: string, text: string): this {
    const bytes = Buffer.from(text);
    this.files.set(path, bytes);
    const hash = encodeHex(sha256(bytes));
    return this.enter({ v: 1, type: 'artifact', path, sha256: hash, bytes: bytes.length, after: this.changes.length });
  }

  /** Writes the feed with all changes, or with the given ones. */
  tell(changes: readonly Change[] = this.changes): this {
    const self = `${this.#base}ai-changes.ndjson`;
    this.files.set('.well-known/ai-changefeed', Buffer.from(encodeDiscovery({ aicf_version: '0.1', self })));
    this.files.set('ai-changes.ndjson', Buffer.from(changes.map((change) => aicfLine(change) ?? '').join('')));
    return this;
  }

  sign(): this {
    for (const [path, bytes] of this.log.files) this.files.set(PREFIX + path, bytes);
    const checkpoint = { origin: this.#key.key.name, ...this.log.head };
    this.write('checkpoint', signCheckpoint(checkpoint, this.#key.key, this.#key.sign));
    return this;
  }

  /** A file below the prefix of the log. */
  write(path: string, text: string | Uint8Array): void {
    this.files.set(PREFIX + path, Buffer.from(text as string));
  }

  read(path: string): string {
    return Buffer.from(this.files.get(PREFIX + path) ?? []).toString();
  }

  /** A copy of the files, independent from now on. */
  copyFiles(): Map<string, Uint8Array> {
    return new Map(this.files);
  }
}

function changeEntry({ id, seq, source, kind, action, url, time, checksum }: Change): LogEntry {
  const change = {
    v: 1,
    type: 'change',
    id,
    seq,
    source,
    kind,
    action,
    url,
    time,
    provenance: {},
    hashed: {},
  } as const;
  return checksum === undefined ? change : { ...change, checksum };
}

function timeOf(seq: number): string {
  return new Date(Date.UTC(2026, 1, 1) + seq * 60_000).toISOString();
}

function idOf(seq: number): string {
  return `01ARZ3NDEKTSV4RRFF${String(seq).padStart(8, '0')}`;
}

/** Some bytes, the same as gzip whether requested or not, an endless body, a rate limit, a server that is down, or nothing. */
type AdversaryAnswer =
  | Uint8Array
  | { readonly gzip: Uint8Array }
  | { readonly retryAfterSeconds: number }
  | 'endless'
  | 'broken'
  | undefined;

export interface AdversaryHub extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  /** The requested paths, without their slash. */
  readonly requests: string[];
  /** Decides what it serves, by path and by the User-Agent of a follower. */
  serve(choose: (path: string, follower: string) => AdversaryAnswer): void;
}

/** A real server that serves what a test chooses, possibly different to each follower. */
export async function openAdversaryHub(): Promise<AdversaryHub> {
  const requests: string[] = [];
  let choose: Parameters<AdversaryHub['serve']>[0] = () => undefined;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://hub/').pathname.slice(1);
    requests.push(path);
    const answer = choose(path, request.headers['user-agent'] ?? '');
    if (answer === undefined) response.writeHead(404).end('not here\n');
    else if (answer === 'broken') response.writeHead(503).end();
    else if (answer === 'endless') {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', more);
      more();
    } else if ('retryAfterSeconds' in answer) {
      response.writeHead(429, { 'retry-after': `${answer.retryAfterSeconds}` }).end();
    } else if ('gzip' in answer) response.writeHead(200, { 'content-encoding': 'gzip' }).end(answer.gzip);
    else response.writeHead(200).end(answer);
  });
  const port = await listenOnFreshPort(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    serve(next) {
      choose = next;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
