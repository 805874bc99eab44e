/**
 * llms.json of a large site: one line that says that the twins are in files beside it. The address of a page decides its file.
 *
 *     {"tidings":"llms/2","parts":64,"lists":["guides/llms.txt","llms.txt"]}
 *
 * `lists` are the lists that were written, if there are several.
 */
import { hash } from 'node:crypto';
import { isRecord } from '../../../codecs/primitives/json-record.ts';
import type { Place } from '../../../model/folder.ts';
import type { StateFile } from '../../projection.ts';
import { decodeTwins, encodeTwins, type KnownTwin, TWINS_FILE } from './twin-memory.ts';

/** What the last publish left. */
export interface TwinMemory {
  readonly twins: ReadonlyMap<string, KnownTwin>;
  /** The lists that it wrote, if there were several. */
  readonly lists: readonly string[];
  readonly isParted: boolean;
}

const PARTED_FORMAT = 'llms/2';
const PARTS = 64;

export async function readTwinMemory(state: Place): Promise<TwinMemory> {
  const head = await state.read(TWINS_FILE);
  const { tidings, lists } = parsed(head);
  const known = Array.isArray(lists) ? lists.filter((path) => typeof path === 'string') : [];
  if (tidings !== PARTED_FORMAT) return { twins: decodeTwins(head), lists: known, isParted: false };
  const twins = new Map<string, KnownTwin>();
  for (let part = 1; part <= PARTS; part += 1) {
    for (const [url, twin] of decodeTwins(await state.read(partFile(part)))) twins.set(url, twin);
  }
  return { twins, lists: known, isParted: true };
}

/** `maxBytes` is the most for one file before the memory is split. Once split, it stays split. */
export function twinMemoryFiles(
  twins: readonly KnownTwin[],
  lists: readonly string[],
  {
    extractor,
    maxBytes,
    isParted,
  }: { readonly extractor: string; readonly maxBytes: number; readonly isParted: boolean },
): readonly StateFile[] {
  const several = lists.length > 1 ? lists : undefined;
  const whole = isParted ? undefined : encodeTwins(twins, { extractor, lists: several });
  if (whole !== undefined && whole.length <= maxBytes) return [{ path: TWINS_FILE, bytes: whole }];
  const parts = Array.from({ length: PARTS }, (): KnownTwin[] => []);
  for (const twin of twins) parts[partOf(twin.url)]?.push(twin);
  const head = `${JSON.stringify({ tidings: PARTED_FORMAT, parts: PARTS, lists: several })}\n`;
  return [
    ...parts.map((part, at) => ({ path: partFile(at + 1), bytes: encodeTwins(part, { extractor }) })),
    { path: TWINS_FILE, bytes: Buffer.from(head) },
  ];
}

function partFile(number: number): string {
  return TWINS_FILE.replace('.', `-${number}.`);
}

function partOf(url: string): number {
  return Number.parseInt(hash('sha256', url, 'hex').slice(0, 4), 16) % PARTS;
}

function parsed(bytes: Uint8Array | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes ?? []).toString());
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
