import type { ChangeStream } from '../stream/change-stream.ts';
import type { ToolObject } from './tool-json.ts';

/** Everything that the tools and resources read. A port throws a TidingsError for what it cannot do. */
export interface McpPorts {
  readonly stream: Pick<ChangeStream, 'changes' | 'sources'>;
  /** Whether the source is watched, or was and has left changes in the log. */
  isSource(id: string, signal: AbortSignal): Promise<boolean>;
  /** The hub's copy of the page; undefined if it has none. */
  heldPage(url: string, signal: AbortSignal): Promise<ToldPage | undefined>;
  /** The pages that the hub has a copy of, each once, in a stable order; those after the place `after`. */
  listPages(query: PageQuery, signal: AbortSignal): Promise<readonly ListedPage[]>;
  /** From the web, through the guarded and polite client. */
  livePage(url: string, signal: AbortSignal): Promise<ToldPage>;
  discover(url: string, context: Pick<CallContext, 'signal' | 'onStatus'>): Promise<ToolObject>;
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer>;
  resolve(question: EndpointQuestion, signal: AbortSignal): Promise<EndpointAnswer>;
  /** `target` is the id of a change, or the URL of a page or section. */
  why(target: string, signal: AbortSignal): Promise<readonly ToolObject[]>;
  /** The URL of the receipt of a change. Absent if there are none. */
  receiptUrl?(id: string): string;
  /** The receipt itself, as JSON; undefined if none can be given yet. */
  receipt?(id: string): Promise<string | undefined>;
  /** Absent if sources cannot be added here. */
  addSource?(source: WantedSource, signal: AbortSignal): Promise<ToolObject>;
  /** Whether this caller may have this URL read from the web. Absent: all may. Throws a ToolRefusal. */
  ensureMayAsk?(url: string, isAdmin: boolean): Promise<void>;
}

/** What comes with a call. */
export interface CallContext {
  /** Aborted when the caller goes away, or when the time of the call is over. */
  readonly signal: AbortSignal;
  /** Whether the hub's admin calls. */
  readonly isAdmin: boolean;
  /** Called with one line of progress. */
  onStatus(line: string): void;
}

export interface ToldPage {
  readonly url: string;
  readonly title: string;
  /** The id of the source that it belongs to. */
  readonly source?: string;
  /** `sha256:<hex>` of its content. */
  readonly checksum: string;
  /** RFC 3339: since when it has this content, as far as known. */
  readonly updated?: string;
  readonly from: 'snapshot' | 'web';
  /** 0 to 1. */
  readonly risk: number;
  readonly riskReasons: readonly string[];
  readonly markdown: string;
  readonly sections: readonly ToldSection[];
}

export interface ToldSection {
  /** `''` for the text before the first heading. */
  readonly anchor: string;
  readonly heading: string;
  readonly checksum: string;
  readonly markdown: string;
}

export interface PageQuery {
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface ListedPage {
  readonly url: string;
  /** Its place in the list. */
  readonly place: string;
  readonly source: string;
  readonly updated?: string;
}

export interface SearchQuery {
  readonly query: string;
  readonly source?: string | undefined;
  /** The number of best hits to skip. */
  readonly skip: number;
  readonly limit: number;
}

export interface SearchAnswer {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** `index`: one that `sync` maintains; `snapshots`: the hub's copies of pages. */
  readonly over: 'index' | 'snapshots';
  /** Not everything was searched. */
  readonly isPartial?: boolean;
}

export interface SearchHit {
  readonly url: string;
  readonly anchor: string;
  readonly title: string;
  readonly heading: string;
  readonly snippet: string;
  readonly source: string;
}

export interface EndpointQuestion {
  readonly origin: string;
  readonly endpoint?: string | undefined;
  readonly protocol?: string | undefined;
  /** RFC 3339: as of then. */
  readonly at?: string | undefined;
}

export interface EndpointAnswer {
  readonly trust: boolean;
  /** What was requested; null if the origin names none, undefined if none was requested. */
  readonly url?: string | null;
  /** What is known about the origin. */
  readonly report: ToolObject;
}

export interface WantedSource {
  readonly url: string;
  readonly id?: string | undefined;
  readonly title?: string | undefined;
}
