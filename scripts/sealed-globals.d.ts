/**
 * All that the codecs may use besides the language itself: pure parts of the platform that every runtime has.
 *
 * A codec that needs more takes it as an argument.
 */

interface URLSearchParams {
  get(name: string): string | null;
  toString(): string;
}

interface URL {
  readonly origin: string;
  readonly searchParams: URLSearchParams;
  href: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
  toString(): string;
}

declare var URL: {
  new (url: string | URL, base?: string | URL): URL;
  canParse(url: string | URL, base?: string | URL): boolean;
};

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean });
  readonly encoding: string;
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

/** Hashing, signing and checking a signature are pure; nothing else in this module is. */
declare module 'node:crypto' {
  export function hash(algorithm: 'sha256', data: string | Uint8Array, encoding?: 'hex'): string;
  export function createHmac(algorithm: string, key: string | Uint8Array): Hmac;
  export function timingSafeEqual(left: Uint8Array, right: Uint8Array): boolean;
  export function createPrivateKey(pem: string): KeyObject;
  export function createPublicKey(
    key: KeyObject | { readonly key: Readonly<Record<string, string>>; readonly format: 'jwk' },
  ): KeyObject;
  export function sign(algorithm: null, data: Uint8Array, key: KeyObject): Uint8Array;
  export function verify(algorithm: null, data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean;

  export interface KeyObject {
    readonly type: string;
    export(options: { readonly format: 'jwk' }): { readonly x?: string };
  }

  interface Hmac {
    update(data: string | Uint8Array): Hmac;
    digest(): Uint8Array<ArrayBuffer>;
  }
}
