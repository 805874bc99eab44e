import { announcement, schemaChange, startLiveOrigin, type TestEntry } from './agent-feed-origin.ts';
import { startDiffDeltaService } from './diffdelta-service.ts';
import { type FeedServer, startFeedServer } from './feed-server.ts';
import { capabilityList, change, changeList, sourceDescription } from './harvest-site.ts';
import { startPublisher } from './publisher.ts';
import type { TestAuthority } from './test-ca.ts';

/** What a follower gets of an event, as far as every dialect can express it. */
export interface ToldEvent {
  readonly action: string;
  readonly url: string;
  readonly id: string;
  readonly anchor?: string;
  readonly itemId?: string;
}

/** A site on loopback that publishes in one dialect. */
export interface DialectSite extends AsyncDisposable {
  readonly url: string;
  /** Publishes this many random changes. Returns what a follower should report of them, in order. */
  publish(count: number, random: () => number): readonly string[];
  /** Its feed states the present and not the history: what changed twice between two looks is reported once. */
  readonly isSnapshot: boolean;
  /** An event in the same form as the results of `publish`. */
  told(event: ToldEvent): string;
}

export type DialectSites = Readonly<Record<string, (authority: TestAuthority) => Promise<DialectSite>>>;

export const DIALECT_SITES: DialectSites = {
  aicf: aicfSite,
  diffdelta: diffDeltaSite,
  resourcesync: resourceSyncSite,
  atom: () => webFeedSite('/feed', atomText),
  rss: () => webFeedSite('/feed', rssText),
  'json-feed': () => webFeedSite('/feed', jsonFeedText),
  'agent-feed': agentFeedSite,
};

const pathIn = (url: string, { origin }: Pick<FeedServer, 'origin'>) => url.replace(origin, '/');

/** Pages that are created, changed and deleted. */
function createPages() {
  const live = new Set<string>();
  let made = 0;
  return (random: () => number): { readonly action: 'create' | 'update' | 'delete'; readonly path: string } => {
    const path = [...live][Math.floor(random() * live.size)];
    const draw = random();
    if (path === undefined || draw < 0.5) {
      made += 1;
      live.add(`/p${made}`);
      return { action: 'create', path: `/p${made}` };
    }
    if (draw < 0.85) return { action: 'update', path };
    live.delete(path);
    return { action: 'delete', path };
  };
}

async function aicfSite(): Promise<DialectSite> {
  const publisher = await startPublisher();
  const next = createPages();
  let ids = 0;
  return {
    url: publisher.origin,
    isSnapshot: false,
    publish(count, random) {
      const lines: string[] = [];
      for (let done = 0; done < count; done += 1) {
        const { action, path } = next(random);
        ids += 1;
        publisher.publish(publisher.event(String(ids).padStart(6, '0'), { action, url: path }));
        lines.push(`${action} ${path} ${ids}`);
      }
      return lines;
    },
    told: ({ action, url, id }) => `${action} ${pathIn(url, publisher)} ${Number(id)}`,
    [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose](),
  };
}

/** Each change is a run, so that their order is visible. */
async function diffDeltaSite(): Promise<DialectSite> {
  const service = await startDiffDeltaService();
  const next = createPages();
  let version = 0;
  return {
    url: service.origin,
    isSnapshot: false,
    publish(count, random) {
      const lines: string[] = [];
      for (let done = 0; done < count; done += 1) {
        const { action, path } = next(random);
        version += 1;
        service.run('docs', { [path]: action === 'delete' ? null : `text ${version}` });
        lines.push(`${action} ${path}`);
      }
      return lines;
    },
    told: ({ action, url }) => `${action} ${pathIn(url, service)}`,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

const KINDS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

async function resourceSyncSite(): Promise<DialectSite> {
  const server = await startFeedServer();
  const origin = server.origin.replace(/\/$/, '');
  const next = createPages();
  const changes: string[] = [];
  const xml = (body: string) => ({ body, headers: { 'content-type': 'application/xml' } });
  server.put('/.well-known/resourcesync', xml(sourceDescription(origin, ['docs'])));
  server.put('/docs/capabilitylist.xml', xml(capabilityList(origin, 'docs', [`${origin}/docs/changelist.xml`])));
  const serve = () => server.put('/docs/changelist.xml', xml(changeList(origin, 'docs', changes)));
  serve();
  return {
    url: server.origin,
    isSnapshot: false,
    publish(count, random) {
      const lines: string[] = [];
      for (let done = 0; done < count; done += 1) {
        const { action, path } = next(random);
        const time = new Date(Date.UTC(2026, 0, 1) + changes.length * 1000).toISOString();
        changes.push(change(`${origin}/docs${path}`, KINDS[action], time));
        lines.push(`${action} ${path}`);
      }
      serve();
      return lines;
    },
    told: ({ action, url }) => `${action} ${url.replace(`${origin}/docs`, '')}`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

interface FeedText {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly publishedMs: number;
}

async function webFeedSite(path: string, textOf: (items: readonly FeedText[]) => string): Promise<DialectSite> {
  const server = await startFeedServer();
  const items: FeedText[] = [];
  let version = 0;
  const serve = () =>
    server.put(path, { body: textOf([...items].reverse()), headers: { 'content-type': 'text/plain' } });
  serve();
  return {
    url: new URL(path, server.origin).href,
    isSnapshot: true,
    publish(count, random) {
      const edited = new Set<number>();
      const lines: string[] = [];
      const made = items.length;
      for (let done = 0; done < count; done += 1) {
        const place = Math.floor(random() * made);
        version += 1;
        const before = items[place];
        if (before !== undefined && random() < 0.4 && !edited.has(place)) {
          edited.add(place);
          items[place] = { ...before, text: `Words ${version}.` };
          continue;
        }
        const number = items.length + 1;
        const publishedMs = Date.UTC(2026, 0, 1) + number * 60_000;
        const url = new URL(`/item-${number}`, server.origin).href;
        items.push({ id: url, url, title: `Item ${number}`, text: `Words ${version}.`, publishedMs });
      }
      serve();
      for (const place of [...edited].sort((one, other) => one - other)) lines.push(`update /item-${place + 1}`);
      for (let place = made; place < items.length; place += 1) lines.push(`create /item-${place + 1}`);
      return lines;
    },
    told: ({ action, url }) => `${action} ${pathIn(url, server)}`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function atomText(items: readonly FeedText[]): string {
  const entries = items.map(({ id, url, title, text, publishedMs }) => {
    const time = new Date(publishedMs).toISOString();
    return `<entry><id>${id}</id><title>${title}</title><link href="${url}"/><published>${time}</published><updated>${time}</updated><content>${text}</content></entry>`;
  });
  return `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:x</id><title>News</title><updated>2026-01-01T00:00:00Z</updated>${entries.join('')}</feed>`;
}

function rssText(items: readonly FeedText[]): string {
  const entries = items.map(({ id, url, title, text, publishedMs }) => {
    const time = new Date(publishedMs).toUTCString();
    return `<item><guid>${id}</guid><title>${title}</title><link>${url}</link><pubDate>${time}</pubDate><description>${text}</description></item>`;
  });
  return `<rss version="2.0"><channel><title>News</title><link>https://x.example/</link><description>d</description>${entries.join('')}</channel></rss>`;
}

function jsonFeedText(items: readonly FeedText[]): string {
  const entries = items.map(({ id, url, title, text, publishedMs }) => ({
    ...{ id, url, title },
    content_text: text,
    date_published: new Date(publishedMs).toISOString(),
  }));
  return JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'News', items: entries });
}

async function agentFeedSite(authority: TestAuthority): Promise<DialectSite> {
  const origin = await startLiveOrigin(authority);
  const versions: number[] = [];
  return {
    url: origin.url,
    isSnapshot: false,
    publish(count, random) {
      const lines: string[] = [];
      const entries: TestEntry[] = [];
      for (let done = 0; done < count; done += 1) {
        const place = Math.floor(random() * versions.length);
        const before = versions[place];
        if (before !== undefined && random() < 0.5) {
          versions[place] = before + 1;
          const versionsOf = { 'from-version': `1.${before}`, 'to-version': `1.${before + 1}` };
          entries.push(schemaChange('', { 'endpoint-id': `api-${place}`, ...versionsOf }));
          lines.push(`update api-${place}`);
          continue;
        }
        const id = `api-${versions.length}`;
        versions.push(0);
        entries.push(announcement('', { 'endpoint-id': id, endpoint: `/${id}` }));
        lines.push(`create ${id}`);
      }
      origin.state(...entries);
      return lines;
    },
    told: ({ action, itemId }) => `${action} ${itemId}`,
    [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose](),
  };
}
