import { decodeAgentFeed } from '../../../codecs/agent-feed/decode-feed.ts';
import { decodeDidDocument, methodFor } from '../../../codecs/agent-feed/did-document.ts';
import { decodeSignature, encodeSignature } from '../../../codecs/agent-feed/signature-text.ts';
import { type DecodedEntry, type DidDocument, isEntryType } from '../../../codecs/agent-feed/wire.ts';
import { encodeBase64url } from '../../../codecs/primitives/base64url.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { verifySignature } from '../../../surface/ed25519.ts';
import type { EntryLine, KeyLine, SurfaceLine } from './surface-record.ts';
import type { SurfaceSite } from './surface-site.ts';

export interface ServedFiles {
  readonly feed: string;
  readonly archive: string | undefined;
  readonly did: string | undefined;
}

export interface AdoptedFeed {
  readonly lines: readonly SurfaceLine[];
  /** What in the feed could not be taken over, and why. If there are any, the lines cannot replace the record. */
  readonly problems: readonly string[];
}

/**
 * Rebuilds the missing record of a feed from the served entries that can be verified.
 *
 * `known` are the keys to verify with if there is no usable DID document.
 */
export function adoptFeed(files: ServedFiles, site: SurfaceSite, known?: DidDocument): AdoptedFeed {
  const feed = decodeAgentFeed(files.feed);
  if (!feed.ok) return { lines: [], problems: [`It cannot be read: ${feed.issues[0].message}`] };
  const { feedStatus, migratedTo, updated = '', entries } = feed.value;
  const isTimed = parseTime(updated) !== undefined;
  const problems = isTimed ? [] : ['It has no time in its updated.'];
  if (entries.length === 0 && feedStatus === 'active') return { lines: [], problems };

  const time = isTimed ? updated : UNKNOWN_TIME;
  const document = documentOf(files.did, site);
  if (typeof document === 'string') problems.push(document);
  const methods = typeof document === 'string' ? known : document;
  const archive = files.archive === undefined ? undefined : decodeAgentFeed(files.archive);
  if (archive?.ok === false) problems.push(`Its archive cannot be read: ${archive.issues[0].message}`);

  const adoption = { site, time, keys: new Map<string, KeyLine>() };
  const lines = new Map<string, EntryLine>();
  const archived: string[] = [];
  const old = archive?.ok ? archive.value.entries : [];
  for (const [at, entry] of (methods === undefined ? [] : [...old, ...entries]).entries()) {
    const isArchived = at < old.length;
    // No did.json has a revoked key, so the entries it signed are of no use to anybody.
    if (isArchived && methods !== undefined && !methodFor(methods, entry.signer).ok) continue;
    const line = methods && adoptEntry(entry, methods, adoption);
    const name = entry.id ?? `in line ${entry.line}`;
    if (typeof line !== 'object') problems.push(`Its entry ${name} ${line}`);
    else if (lines.has(line.id)) problems.push(`It has the entry ${line.id} twice.`);
    else {
      lines.set(line.id, line);
      if (isArchived) archived.push(line.id);
    }
  }
  const status = statusLine(feedStatus, migratedTo, time);
  if (typeof status === 'string') problems.push(status);
  return {
    lines: [
      ...adoption.keys.values(),
      ...lines.values(),
      ...(archived.length === 0 ? [] : [{ kind: 'archive' as const, ids: archived, time }]),
      ...(typeof status === 'string' ? [] : status),
    ],
    problems,
  };
}

/** For a feed that does not say when it was written. */
const UNKNOWN_TIME = '1970-01-01T00:00:00Z';

/** Returns the reason if there is no usable document. */
function documentOf(did: string | undefined, { origin }: SurfaceSite): DidDocument | string {
  if (did === undefined) return 'There is no did.json beside it to verify it with.';
  const document = decodeDidDocument(did, origin);
  return document.ok ? document.value : `The did.json beside it cannot be used: ${document.issues[0].message}`;
}

interface Adoption {
  readonly site: SurfaceSite;
  readonly time: string;
  /** The keys met so far. */
  readonly keys: Map<string, KeyLine>;
}

/** Returns the reason if the entry cannot be adopted. */
function adoptEntry(entry: DecodedEntry, document: DidDocument, { site, time, keys }: Adoption): EntryLine | string {
  const { id, type, content, updated, flaw } = entry;
  if (flaw !== undefined) return `cannot be believed: ${flaw}`;
  if (id === undefined || content === undefined || updated === undefined || parseTime(updated) === undefined)
    return 'is not whole.';
  if (!isEntryType(type)) return `is of the type "${type}", which v0 does not have.`;
  const found = methodFor(document, entry.signer);
  if (!found.ok) return `cannot be verified: ${found.reason}`;
  const bytes = decodeSignature(entry.signature ?? '');
  const { publicKey } = found.method;
  if (bytes === undefined || !verifySignature(publicKey, new TextEncoder().encode(content), bytes)) {
    return 'has a signature that does not verify.';
  }
  const signer = found.method.id.startsWith('#') ? `${site.did}${found.method.id}` : found.method.id;
  if (!keys.has(signer)) keys.set(signer, { kind: 'key', id: signer, publicKey: encodeBase64url(publicKey), time });
  return { kind: 'entry', id, updated, type, content, signature: encodeSignature(bytes), signer, time };
}

function statusLine(status: string | undefined, to: string | undefined, time: string): SurfaceLine[] | string {
  if (status === 'active') return [];
  if (status === 'terminated') return [{ kind: 'status', status, time }];
  if (status === 'migrated' && to !== undefined) return [{ kind: 'status', status, to, time }];
  return `Its feed-status "${status}" is none.`;
}
