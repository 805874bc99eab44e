import { get, type IncomingMessage } from 'node:http';

/** One block of a stream with data. */
export interface SeenEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** A reader of a stream that follows WHATWG HTML §9.2 exactly, over its own connection. */
export class EventsClient {
  readonly events: SeenEvent[] = [];
  /** What a reconnect would send. */
  lastEventId = '';
  retryMs: number | undefined;
  comments = 0;
  status = 0;
  headers: IncomingMessage['headers'] = {};
  /** Resolves when the head has arrived. */
  readonly opened: Promise<void>;
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Everything received, as text. */
  text = '';
  readonly #request: ReturnType<typeof get>;
  #response: IncomingMessage | undefined;
  #rest = '';
  #left = Number.POSITIVE_INFINITY;
  #block = { event: '', id: undefined as string | undefined, data: [] as string[] };

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#request = get(url, { headers, agent: false });
    this.lastEventId = headers['last-event-id'] ?? '';
    let open: () => void = () => {};
    let end: () => void = () => {};
    this.opened = new Promise((resolve) => {
      open = resolve;
    });
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#request.on('error', () => end());
    this.#request.on('response', (response) => {
      this.#response = response;
      this.status = response.statusCode ?? 0;
      this.headers = response.headers;
      open();
      response.setEncoding('utf8');
      response.on('data', (text: string) => this.#take(text));
      response.on('error', () => {});
      response.on('close', () => end());
    });
  }

  get changes(): readonly { readonly seq: number; readonly id: string; readonly url: string }[] {
    return this.events.filter(({ event }) => event === 'change').map(({ data }) => JSON.parse(data));
  }

  get seqs(): readonly number[] {
    return this.changes.map(({ seq }) => seq);
  }

  get resyncs(): readonly (string | null)[] {
    return this.events.filter(({ event }) => event === 'resync').map(({ data }) => JSON.parse(data).from);
  }

  pause(): void {
    this.#response?.pause();
  }

  resume(): void {
    this.#response?.resume();
  }

  /** Nothing received afterwards counts. */
  close(): void {
    this.#left = 0;
    this.#request.destroy();
  }

  /** Ends the connection after this many more characters, wherever that is. */
  cutAfter(characters: number): void {
    this.#left = characters;
  }

  #take(all: string): void {
    const text = all.slice(0, this.#left);
    this.#left -= text.length;
    if (this.#left <= 0) this.close();
    this.text += text;
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (line === '') this.#dispatch();
    if (line.startsWith(':')) this.comments += 1;
    if (line === '' || line.startsWith(':')) return;
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === 'event') this.#block.event = value;
    else if (name === 'id') this.#block.id = value;
    else if (name === 'data') this.#block.data.push(value);
    else if (name === 'retry') this.retryMs = Number(value);
  }

  #dispatch(): void {
    const { event, id, data } = this.#block;
    this.#block = { event: '', id: undefined, data: [] };
    if (id !== undefined) this.lastEventId = id;
    if (data.length === 0) return;
    this.events.push({ event: event || 'message', id: this.lastEventId, data: data.join('\n') });
  }
}
