import { methodFor } from '../../../codecs/agent-feed/did-document.ts';
import { decodeSignature } from '../../../codecs/agent-feed/signature-text.ts';
import { type DecodedEntry, type DidDocument, METHOD_TYPE } from '../../../codecs/agent-feed/wire.ts';
import { canonicalJson } from '../../../codecs/primitives/canonical-json.ts';
import type { Ledger } from '../../../codecs/primitives/ledger.ts';
import { publicKeyOf, verifySignature } from '../../../surface/ed25519.ts';
import { type SurfaceContext, shownValue } from './seen-surface.ts';

/** Limits on guessing: more attempts would not help anybody. */
const MAX_TRIED_KEYS = 20;
const MAX_GUESSES = 20;

type UsableMethod = Extract<ReturnType<typeof methodFor>, { ok: true }>['method'];

/** Checks that each entry has a well-formed signature over its exact content, made by a key that the origin publishes (§31). */
export class SignatureCheck {
  readonly #did: DidDocument | undefined;
  readonly #ledger: Ledger;
  readonly #keys: DidDocument['methods'];
  readonly #names: ReadonlySet<string>;
  readonly #methods = new Map<string | undefined, UsableMethod | undefined>();
  #guesses = 0;
  #entries = 0;
  #verified = 0;

  constructor(did: DidDocument | undefined, { ledger }: Pick<SurfaceContext, 'ledger'>) {
    this.#did = did;
    this.#ledger = ledger;
    const methods = did?.methods ?? [];
    this.#keys = methods.filter(({ type, publicKey }) => type === METHOD_TYPE && publicKey !== undefined);
    this.#names = new Set(methods.map(({ id }) => absoluteId(id, did)));
    if (did === undefined) ledger.skipped('There is no did.json whose keys readers would use.', 'AF-G1', 'AF-EN12');
  }

  check(entry: DecodedEntry, where: string): void {
    this.#entries += 1;
    if (this.#isVerified(entry, where)) this.#verified += 1;
  }

  close(): void {
    if (this.#entries === 0) return;
    if (this.#verified === this.#entries) this.#ledger.looked('AF-EN10');
    else this.#ledger.skipped('Not every signature verifies or could be verified: see AF-G1 and did.json.', 'AF-EN10');
  }

  #isVerified(entry: DecodedEntry, where: string): boolean {
    const { content = '', signer } = entry;
    this.#ledger.looked('AF-EN11', 'AF-SG2', 'AF-G2');
    const signature = this.#checkText(entry, where);
    this.#checkSigner(signer, where);
    if (signature === undefined || this.#did === undefined || content === '') return false;
    if (signer !== undefined && !this.#names.has(absoluteId(signer, this.#did))) {
      const seen = `It names the signer ${shownValue(signer)}, which did.json does not have: readers drop the entry.`;
      const remedy = 'Keep each key in did.json as long as entries of it are served.';
      this.#ledger.note({ clause: 'AF-EN11', level: 'MUST', where, seen, remedy });
      return false;
    }
    if (!this.#methods.has(signer)) this.#methods.set(signer, usableMethod(this.#did, signer));
    const method = this.#methods.get(signer);
    // The check of did.json reports what is wrong with the method itself.
    if (method === undefined) return false;
    this.#ledger.looked('AF-G1', 'AF-EN12');
    const bytes = new TextEncoder().encode(content);
    if (verifySignature(method.publicKey, bytes, signature)) return true;
    const seen = `Its signature is not one of ${shownValue(method.id)} over its content. ${this.#guess(content, signature)}`;
    const remedy = 'Sign the bytes of the content exactly as it stands, and let nothing reformat the feed afterwards.';
    this.#ledger.note({ clause: 'AF-G1', where, seen: seen.trim(), remedy });
    return false;
  }

  #checkText({ signature, signatureType }: DecodedEntry, where: string): Uint8Array | undefined {
    const remedy = 'Write <af:sig type="ed25519"> with 86 characters of base64url.';
    if (signature === undefined || signature.trim() === '') {
      this.#ledger.note({ clause: 'AF-EN10', where, seen: 'It has no af:sig.', remedy });
      return undefined;
    }
    if (signatureType !== 'ed25519') {
      const seen = `The type of its af:sig is ${signatureType === undefined ? 'missing' : shownValue(signatureType)}.`;
      this.#ledger.note({ clause: 'AF-EN10', where, seen, remedy });
    }
    if (/\s/.test(signature)) {
      const seen = 'White space stands in its af:sig.';
      this.#ledger.note({ clause: 'AF-SG2', where, seen, remedy: 'Write nothing but the 86 characters.' });
    }
    const bytes = decodeSignature(signature);
    if (bytes !== undefined) return bytes;
    const bare = signature.replace(/\s+/g, '');
    if (/^[\w-]+\.[\w-]*\.[\w-]+$/.test(bare.slice(0, 10_000))) {
      const seen = 'Its af:sig is a JWS, not a bare signature.';
      this.#ledger.note({ clause: 'AF-G2', where, seen, remedy });
    } else this.#ledger.note({ clause: 'AF-G1', where, seen: `Its af:sig ${formOf(bare)}.`, remedy });
    return undefined;
  }

  #checkSigner(signer: string | undefined, where: string): void {
    if (signer !== undefined) return;
    const isAmbiguous = this.#keys.length > 1;
    const why = isAmbiguous ? 'did.json has several keys, and readers take the first' : 'Readers take the first key';
    const seen = `It has no af:signer. ${why}: the entry stops to verify when that is another.`;
    const remedy = 'Name the verification method that signed it.';
    this.#ledger.note({ clause: 'AF-EN11', level: isAmbiguous ? 'SHOULD' : 'MAY', where, seen, remedy });
  }

  /** Names the likely cause for the most frequent mistakes. */
  #guess(content: string, signature: Uint8Array): string {
    if (this.#guesses === MAX_GUESSES) return '';
    this.#guesses += 1;
    const tried = this.#keys.slice(0, MAX_TRIED_KEYS);
    const signerOf = (text: string) =>
      tried.find(({ publicKey = new Uint8Array() }) =>
        verifySignature(publicKey, new TextEncoder().encode(text), signature),
      );
    const other = signerOf(content);
    if (other !== undefined) return `It is one of ${shownValue(other.id)}: name that as signer.`;
    const canonical = canonicalOf(content);
    if (canonical !== undefined && signerOf(canonical) !== undefined) {
      return 'It is one over the canonical form of the content: something reformatted it.';
    }
    return '';
  }
}

function absoluteId(id: string, did: DidDocument | undefined): string {
  return id.startsWith('#') ? `${did?.id}${id}` : id;
}

function usableMethod(did: DidDocument, signer: string | undefined): UsableMethod | undefined {
  const found = methodFor(did, signer);
  return found.ok && publicKeyOf(found.method.publicKey) !== undefined ? found.method : undefined;
}

function formOf(text: string): string {
  if (text.endsWith('=')) return 'is padded with "="';
  if (/[+/]/.test(text)) return 'is base64, not base64url';
  if (!/^[\w-]*$/.test(text)) return 'holds characters that base64url does not have';
  if (text.length !== 86) return `has ${text.length} characters instead of 86`;
  return 'has an impossible last character';
}

function canonicalOf(text: string): string | undefined {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}
