import type { McpPorts, ToldPage } from '../../src/mcp/mcp-ports.ts';
import { createMcpService, type McpService, type ToolResult } from '../../src/mcp/mcp-service.ts';
import type { Change } from '../../src/model/change.ts';
import type { StreamedChange } from '../../src/stream/change-stream.ts';
import { changeOf } from './change-of.ts';

export const NEVER = new AbortController().signal;

/** The nth change of a log, with ids in log order. */
export function nthChange(seq: number, change: Partial<Change> = {}): StreamedChange {
  const id = `01ARZ3NDEKTSV4RRFFQ${String(seq).padStart(7, '0')}`;
  const url = change.url ?? `https://docs.example/${seq}`;
  return { ...changeOf({ ...change, url, seq, id }), boundary: url };
}

/** A hub in memory: its log, its pages, and an empty web. */
export function memoryPorts(more: Partial<McpPorts> = {}, { changes = [], pages = [] }: MemoryHub = {}): McpPorts {
  return {
    stream: {
      async changes({ after, source, limit = 100 }) {
        const behind = changes.filter(({ id }) => after === undefined || id > after);
        const found = behind.filter((change) => source === undefined || change.source === source).slice(0, limit);
        const end = found.length === limit ? found.at(-1) : changes.at(-1);
        return { changes: found, next: end?.id ?? after ?? null };
      },
      sources: async () => [{ id: 'docs', url: 'https://docs.example/', kind: 'site', status: 'ok' }],
    },
    isSource: async (id) => id === 'docs',
    heldPage: async (url) => pages.find((page) => page.url === url),
    async listPages({ after = '', limit }) {
      const behind = pages.filter(({ url }) => url > after).slice(0, limit);
      return behind.map(({ url }) => ({ url, place: url, source: 'docs' }));
    },
    livePage: async () => Promise.reject(new Error('The web has nothing.')),
    discover: async (url) => ({ url, offers: [], terms: [] }),
    search: async () => ({ hits: [], over: 'snapshots' }),
    resolve: async () => ({ trust: true, report: { endpoints: [{}] } }),
    why: async () => [],
    ...more,
  };
}

interface MemoryHub {
  readonly changes?: readonly StreamedChange[];
  readonly pages?: readonly ToldPage[];
}

export function pageOf(markdown: string, more: Partial<ToldPage> = {}): ToldPage {
  const section = { anchor: 'all', heading: 'All', checksum: 'sha256:s', markdown };
  return {
    url: 'https://docs.example/',
    title: 'Home',
    checksum: 'sha256:p',
    from: 'snapshot',
    risk: 0,
    riskReasons: [],
    markdown,
    sections: [section],
    ...more,
  };
}

/** A service without a time limit, and the problems reported to its operator. */
export function serviceOver(ports: McpPorts, deadline: (ms: number) => AbortSignal = () => NEVER) {
  const problems: unknown[] = [];
  const onProblem = (_tool: string, error: unknown) => void problems.push(error);
  return { service: createMcpService(ports, { deadline, now: () => 0, onProblem }), problems };
}

export async function callTool(service: McpService, name: string, args = {}, more = {}): Promise<ToolResult> {
  return await service.call(name, args, { signal: NEVER, isAdmin: false, onStatus() {}, ...more });
}

/** The answer of a call that must not be an error. */
export async function answerOf(service: McpService, name: string, args = {}): Promise<Record<string, unknown>> {
  const { structuredContent, isError, content } = await callTool(service, name, args);
  if (isError || structuredContent === undefined) throw new Error(content[0]?.text);
  return structuredContent as Record<string, unknown>;
}
