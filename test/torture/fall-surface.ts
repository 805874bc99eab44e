import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announceEndpoint, changeSchema, newSigningKey } from '../../src/doors/surface.ts';
import { listenOnFreshPort } from '../support/fresh-port.ts';
import { htmlPage } from '../support/site.ts';
import type { TestCertificate } from '../support/test-ca.ts';
import type { Edit } from './fall-judge.ts';
import { answerFault, FAULTS, type FallSite, type FeedFault } from './fall-site.ts';
import type { Random } from './hub-random.ts';

const FEED = '/.well-known/agent-feed.xml';
const MAX_ENDPOINTS = 12;

/** An origin with an agent-feed over https: each edit is a fact about its API. Its pages stay as they are. */
export async function startFallSurface(tls: TestCertificate): Promise<FallSite> {
  const root = await mkdtemp(join(tmpdir(), 'tidings-fall-surface-'));
  const surface = new Surface(root, tls);
  await surface.start();
  return surface;
}

class Surface implements FallSite {
  readonly id = 'agent_feed';
  readonly dialect = 'agent-feed';
  readonly faults: readonly FeedFault[] = [...FAULTS, 'signature'];
  readonly edits: Edit[] = [];
  url = '';
  fired = 0;
  readonly #root: string;
  readonly #server: ReturnType<typeof createServer>;
  /** How often the schema of each endpoint was changed. */
  readonly #versions = new Map<string, number>();
  #frozen: Buffer | undefined;
  #fault: FeedFault | undefined;

  constructor(root: string, tls: TestCertificate) {
    this.#root = root;
    this.#server = createServer(tls, (request, response) => void this.#answer(request, response));
  }

  async start(): Promise<void> {
    this.url = `https://localhost:${await listenOnFreshPort(this.#server)}/`;
    await newSigningKey({ key: this.#key });
    for (let count = 0; count < 3; count += 1) await this.#announce();
  }

  async edit(random: Random): Promise<void> {
    const known = [...this.#versions.keys()];
    const isNew = random.chance(0.3) && known.length < MAX_ENDPOINTS;
    const edit = isNew ? await this.#announce() : await this.#change(random.pick(known));
    this.edits.push({ ...edit, atMs: Date.now() });
  }

  breakFeed(fault: FeedFault): void {
    this.#fault = fault;
    this.#frozen = readFileSync(join(this.#root, 'site', FEED));
  }

  mend(): void {
    this.#fault = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#root, { recursive: true, force: true });
  }

  get #key(): string {
    return join(this.#root, 'key.json');
  }

  get #target() {
    return { dir: join(this.#root, 'site'), site: this.url, key: this.#key, force: true };
  }

  async #announce(): Promise<Omit<Edit, 'atMs'>> {
    const endpointId = `api-${this.#versions.size + 1}`;
    this.#versions.set(endpointId, 1);
    await announceEndpoint(this.#target, { endpointId, endpoint: `/${endpointId}`, protocol: 'rest', version: '1' });
    return { action: 'create', path: endpointId };
  }

  async #change(endpointId: string): Promise<Omit<Edit, 'atMs'>> {
    const from = this.#versions.get(endpointId) ?? 1;
    this.#versions.set(endpointId, from + 1);
    const migration = { add: [`/field-${from}`] };
    await changeSchema(this.#target, { endpointId, from: `${from}`, to: `${from + 1}`, migration });
    return { action: 'update', path: endpointId };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(HOME);
    const file = path.startsWith('/.well-known/') ? join(this.#root, 'site', path) : undefined;
    const bytes = file === undefined ? undefined : await readFile(file).catch(() => undefined);
    if (bytes === undefined) return void response.writeHead(404).end();
    const fault = path === FEED ? this.#fault : undefined;
    if (fault !== undefined) {
      this.fired += 1;
      if (answerFault(fault, bytes, response)) return;
    }
    const body = fault === 'stuck' ? this.#frozen : fault === 'signature' ? forged(bytes) : bytes;
    response.writeHead(200, { 'content-type': path === FEED ? 'application/atom+xml' : 'application/json' }).end(body);
  }
}

const HOME = htmlPage('Home', [{ id: 'start', heading: 'Start', text: 'What this API is for, and who may ask it.' }]);

/** Each signature is another one. */
function forged(bytes: Buffer): string {
  return bytes
    .toString()
    .replace(/(<af:sig[^>]*>\s*)(.)/g, (_, open: string, first: string) => `${open}${first === 'A' ? 'B' : 'A'}`);
}
