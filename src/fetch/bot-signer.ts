/**
 * Web Bot Auth: requests of a crawler, signed with a key that its operator serves.
 *
 * Spec: draft-ietf-webbotauth-httpsig-protocol-01
 */
import { hash } from 'node:crypto';
import { type AskedSignature, BOT_TAG, decodeAcceptSignature } from '../codecs/message-signatures/accept-signature.ts';
import type { CoveredComponent } from '../codecs/message-signatures/components.ts';
import { keyThumbprint } from '../codecs/message-signatures/key-directory.ts';
import { type AgentForm, signatureAgent } from '../codecs/message-signatures/signature-agent.ts';
import {
  type SignatureParameter,
  signatureBase,
  writeSignatureInput,
} from '../codecs/message-signatures/signature-base.ts';
import { encodeBase64 } from '../codecs/primitives/base64.ts';
import type { RequestSigner, UnsignedRequest } from './request-signer.ts';

export interface BotSignerOptions {
  readonly publicKey: Uint8Array;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
  /** Where the public key is served. */
  readonly directory: URL;
  readonly form: AgentForm;
  /** Sign every request, or only those to hosts that have asked for a signature. */
  readonly when: 'always' | 'challenged';
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Returns a text that was never returned before. */
  readonly nonce: () => string;
  /** Called if an origin asks for a component that is not signed. */
  readonly onRefused?: (url: URL, reason: string) => void;
}

const LABEL = 'sig1';
/** Long enough for a slow request, too short to be worth stealing. */
const LIFE_SECONDS = 60;
const CHALLENGES = [401, 403, 429];
/** The number of stored hosts that asked for signatures; a new one replaces the oldest. */
const MOST_HOSTS = 10_000;

const sha256 = (bytes: Uint8Array) => new Uint8Array(hash('sha256', bytes, 'buffer'));

/** What every signature covers: the host, the request, and the signer. */
const ALWAYS: readonly CoveredComponent[] = [{ name: '@authority' }, { name: '@method' }, { name: '@path' }];

export function createBotSigner(options: BotSignerOptions): RequestSigner {
  const { when, onRefused = () => {} } = options;
  const keyid = keyThumbprint(options.publicKey, sha256);
  const challengers = new Set<string>();

  const signed = (request: UnsignedRequest, asked: Partial<AskedSignature> = {}) =>
    signedFields(request, asked, { ...options, keyid });

  return {
    fieldsFor(request) {
      if (!isSignable(request.url)) return {};
      return when === 'always' || challengers.has(request.url.host) ? (signed(request) ?? {}) : {};
    },
    answerTo(request, { status, acceptSignature }) {
      if (acceptSignature === undefined || !CHALLENGES.includes(status) || !isSignable(request.url)) return undefined;
      const asked = decodeAcceptSignature(acceptSignature, (name) => name === 'signature-agent');
      if (asked === undefined) return undefined;
      const problem = problemWith(asked, keyid);
      if (typeof asked === 'string' || problem !== undefined) {
        onRefused(request.url, problem ?? String(asked));
        return undefined;
      }
      remember(challengers, request.url.host);
      return signed(request, asked);
    },
  };
}

/** Over plain http, everybody on the way could copy a signature. */
function isSignable({ protocol }: URL): boolean {
  return protocol === 'https:';
}

function problemWith(asked: AskedSignature | string, keyid: string): string | undefined {
  if (typeof asked === 'string') return asked;
  return asked.keyid !== undefined && asked.keyid !== keyid ? `it asks for the key "${asked.keyid}"` : undefined;
}

function remember(hosts: Set<string>, host: string): void {
  hosts.add(host);
  const [oldest] = hosts;
  if (hosts.size > MOST_HOSTS && oldest !== undefined) hosts.delete(oldest);
}

/** Undefined if a requested component does not exist and cannot be signed. */
function signedFields(
  request: UnsignedRequest,
  { label = LABEL, components = [], nonce }: Partial<AskedSignature>,
  { sign, directory, form, now, nonce: newNonce, keyid }: BotSignerOptions & { readonly keyid: string },
): Readonly<Record<string, string>> | undefined {
  const agent = signatureAgent(directory, label, form);
  const created = Math.floor(now() / 1000);
  const parameters: readonly SignatureParameter[] = [
    ['created', created],
    ['expires', created + LIFE_SECONDS],
    ['keyid', keyid],
    ['alg', 'ed25519'],
    ['nonce', nonce ?? newNonce()],
    ['tag', BOT_TAG],
  ];
  const input = { components: withoutDoubles([...components, ...ALWAYS, agent.component]), parameters };
  const fields = { 'signature-agent': agent.value };
  const base = signatureBase(input, { ...request, fields });
  if (!base.ok) return undefined;
  return {
    ...fields,
    'signature-input': `${label}=${writeSignatureInput(input)}`,
    signature: `${label}=:${encodeBase64(sign(new TextEncoder().encode(base.value)))}:`,
  };
}

function withoutDoubles(components: readonly CoveredComponent[]): readonly CoveredComponent[] {
  const idOf = ({ name, key = '' }: CoveredComponent) => `${name} ${key}`;
  return [...new Map(components.map((component) => [idOf(component), component])).values()];
}
