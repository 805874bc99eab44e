import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { startTidings, TOKEN } from './cluster-processes.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { type LiveSite, startLiveSite } from './live-site.ts';
import type { PostgresServer } from './postgres-server.ts';
import { htmlPage } from './site.ts';

/** For a user with only the rights that a hub needs. For tests only. */
const PASSWORD = 'a-word-of-the-tests-4711';
const USER = 'hub';

export interface ToldEvent {
  readonly id: string;
  readonly url: string;
}

/** A database with the hub of the lab, and a connection to it that can be disturbed. */
export interface HubDatabase extends AsyncDisposable {
  readonly name: string;
  readonly proxy: CuttingProxy;
  /** Through the proxy. */
  readonly url: string;
  /** A statement of the database's operator, who can always connect. */
  ask(text: string): Promise<void>;
}

/** A hub as of yesterday and as of today, with one page edited in between: each test gets a copy of its database and of a replica. */
export class DatabaseLab implements AsyncDisposable {
  readonly server: PostgresServer;
  readonly site: LiveSite;
  readonly #root: string;
  #copies = 0;

  private constructor(server: PostgresServer, site: LiveSite, root: string) {
    this.server = server;
    this.site = site;
    this.#root = root;
  }

  static async open(server: PostgresServer): Promise<DatabaseLab> {
    const root = await mkdtemp(join(tmpdir(), 'tidings-database-lab-'));
    const lab = new DatabaseLab(server, await startLiveSite({ '/a': pageOf(0) }), root);
    await lab.askServer(`CREATE ROLE ${USER} LOGIN PASSWORD '${PASSWORD}'`);
    await lab.askServer(`CREATE DATABASE today OWNER ${USER}`);
    const url = lab.urlOf('today', Number(new URL(server.url).port));
    await lab.#run(url, async (hub) => {
      await post(hub, 'api/v1/sources', { id: 's0', kind: 'page', url: `${lab.site.url}a`, intervalSeconds: 1 });
      await untilTold(hub, 1);
    });
    await lab.askServer(`CREATE DATABASE yesterday TEMPLATE today OWNER ${USER}`);
    lab.edit(1);
    await lab.#run(url, (hub) => untilTold(hub, 2));
    return lab;
  }

  /** Edits another section each time, up to three, because what changes at every look is held back. */
  edit(edits: number): void {
    this.site.put({ '/a': pageOf(edits) });
  }

  newFolder(): Promise<string> {
    return mkdtemp(join(this.#root, 'data-'));
  }

  /** Today's replica. */
  async replica(): Promise<string> {
    const folder = await this.newFolder();
    await cp(join(this.#root, 'hub'), folder, { recursive: true });
    return folder;
  }

  async database(of: 'today' | 'yesterday' | 'template0' = 'today'): Promise<HubDatabase> {
    this.#copies += 1;
    const name = `copy_${this.#copies}`;
    await this.askServer(`CREATE DATABASE ${name} TEMPLATE ${of} OWNER ${USER}`);
    const { hostname: host, port } = new URL(this.server.url);
    const proxy = await startCuttingProxy({ host, port: Number(port) });
    return {
      name,
      proxy,
      url: this.urlOf(name, proxy.port),
      ask: (text) => this.askServer(text, name),
      [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
    };
  }

  urlOf(database: string, port: number, password = PASSWORD): string {
    return `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
  }

  async askServer(text: string, database = 'postgres'): Promise<void> {
    const url = Object.assign(new URL(this.server.url), { pathname: `/${database}` });
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  }

  /** Sets the password of the hub's user. Default: the old one. */
  async givePassword(password = PASSWORD): Promise<void> {
    await this.askServer(`ALTER ROLE ${USER} PASSWORD '${password}'`);
  }

  /** Takes all free connections, until they are returned. */
  async takeConnections(database: string): Promise<AsyncDisposable> {
    const taken: pg.Client[] = [];
    const url = this.urlOf(database, Number(new URL(this.server.url).port));
    for (let isRefused = false; !isRefused; ) {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => {});
      isRefused = await client.connect().then(
        () => taken.push(client) > 1000,
        () => true,
      );
    }
    return {
      async [Symbol.asyncDispose]() {
        await Promise.all(taken.map((client) => client.end()));
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site[Symbol.asyncDispose]();
    await rm(this.#root, { recursive: true });
  }

  async #run(url: string, work: (hub: string) => Promise<unknown>): Promise<void> {
    await using hub = await startTidings(serveWords(join(this.#root, 'hub')), hubEnvironment(url));
    await work(hub.said.url);
  }
}

export function serveWords(folder: string): string[] {
  return ['serve', '--port', '0', '--base-url', 'https://hub.example/', '--data', folder];
}

export function hubEnvironment(url: string): Record<string, string> {
  return { TIDINGS_DATABASE: url, TIDINGS_COOLDOWN: '0' };
}

export async function eventsOf(hub: string): Promise<readonly ToldEvent[]> {
  const text = await (await fetch(new URL('ai-changes.ndjson', hub))).text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Resolves when this many events are reported. */
export async function untilTold(hub: string, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await eventsOf(hub)).toHaveLength(count), { timeout: 45_000, interval: 100 });
}

export async function post(hub: string, path: string, body: object): Promise<Response> {
  return await fetch(new URL(path, hub), {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export async function healthOf(hub: string): Promise<Readonly<Record<string, unknown>>> {
  return await (await fetch(new URL('healthz', hub))).json();
}

function pageOf(edits: number): string {
  const sections = ['one', 'two', 'three'].map((id, at) => ({
    id,
    heading: `Section ${id}`,
    text: `The ${at < edits ? 'edited' : 'first'} text of section ${id}, of some length, so that it counts as one.`,
  }));
  return htmlPage('A page', sections);
}
