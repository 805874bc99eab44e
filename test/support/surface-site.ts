import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { decodeAgentFeed } from '../../src/codecs/agent-feed/decode-feed.ts';
import { decodePayload } from '../../src/codecs/agent-feed/decode-payload.ts';
import { decodeDidDocument, methodFor } from '../../src/codecs/agent-feed/did-document.ts';
import { decodeSignature } from '../../src/codecs/agent-feed/signature-text.ts';
import type { DecodedAgentFeed, DidDocument, EntryType } from '../../src/codecs/agent-feed/wire.ts';
import type { Result } from '../../src/codecs/primitives/result.ts';
import { newSigningKey, type SurfaceTarget } from '../../src/doors/surface.ts';
import { verifySignature } from '../../src/surface/ed25519.ts';
import { createSurfaceTable, type SurfaceTable } from '../../src/surface/surface-table.ts';

export const NOON = Date.parse('2026-04-27T12:00:00Z');

/** A folder with the surface of `https://api.example/`, its key outside it, and a clock that only moves when set. */
export interface TestSurface {
  readonly target: SurfaceTarget & { readonly now: () => number };
  readonly dir: string;
  clock: number;
  /** Below `/.well-known/`. Undefined if it does not exist. */
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  feed(): Promise<DecodedAgentFeed>;
  did(): Promise<DidDocument>;
  /** What a new reader knows, after every signature is verified. */
  table(): Promise<SurfaceTable>;
}

export async function testSurface(site = 'https://api.example/'): Promise<TestSurface> {
  const root = await mkdtemp(join(tmpdir(), 'tidings-surface-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const dir = join(root, 'site');
  const key = join(root, 'key.json');
  await newSigningKey({ key });

  const surface: TestSurface = {
    target: { dir, site, key, now: () => surface.clock },
    dir,
    clock: NOON,
    async read(name) {
      return await readFile(join(dir, '.well-known', name), 'utf8').catch(() => undefined);
    },
    async write(name, text) {
      const file = join(dir, '.well-known', name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    },
    async feed() {
      return unwrap(decodeAgentFeed((await surface.read('agent-feed.xml')) ?? ''));
    },
    async did() {
      return unwrap(decodeDidDocument((await surface.read('did.json')) ?? '', site));
    },
    async table() {
      return verifiedTable(site, await surface.feed(), await surface.did());
    },
  };
  return surface;
}

/** Throws on the first entry that does not verify. */
export function verifiedTable(site: string, feed: DecodedAgentFeed, did: DidDocument): SurfaceTable {
  const table = createSurfaceTable(new URL(site));
  for (const { id, type, content = '', signature = '', signer } of feed.entries) {
    const found = methodFor(did, signer);
    const bytes = decodeSignature(signature);
    if (!found.ok) throw new Error(found.reason);
    const isVerified = bytes && verifySignature(found.method.publicKey, new TextEncoder().encode(content), bytes);
    if (!isVerified) throw new Error(`${id} does not verify.`);
    table.apply(unwrap(decodePayload(type as EntryType, content)));
  }
  return table;
}

export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(result.issues[0].message);
}
