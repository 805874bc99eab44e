import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { HubRequest } from '../http/route.ts';

/** The field that every form carries. */
export const TOKEN_FIELD = 'form_token';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The fields of a form; empty if the body is not one. */
export function formFields({ body, headers }: Pick<HubRequest, 'body' | 'headers'>): URLSearchParams {
  const isForm = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() === FORM_TYPE;
  return new URLSearchParams(isForm && body instanceof Uint8Array ? new TextDecoder().decode(body) : '');
}

/**
 * Whether a browser says that a page of another site sends this. It says so by `Sec-Fetch-Site` if the hub is reached by https or on this machine, else by
 * `Origin`, which is compared with the requested host.
 */
export function isFromElsewhere({ headers }: Pick<HubRequest, 'headers'>, baseUrl = ''): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  const hosts = [host, /^https?:\/\/([^/]+)/i.exec(baseUrl)?.[1]];
  const named = /^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1];
  return named === undefined || !hosts.some((own) => own?.toLowerCase() === named.toLowerCase());
}

/** Takes the same time however much of it is right. */
export function isSameText(one: string, other: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return other !== '' && timingSafeEqual(digest(one), digest(other));
}

const TOKEN_BYTES = 32;

/**
 * A token as a page shows it: different each time, so that the length of a compressed page with attacker-chosen text reveals nothing about the token (BREACH).
 */
export function maskedToken(token: Uint8Array, random: (size: number) => Uint8Array): string {
  const mask = random(TOKEN_BYTES);
  return Buffer.concat([mask, mask.map((byte, at) => byte ^ (token[at] ?? 0))]).toString('base64url');
}

/** Whether both are the same token under different masks. */
export function isSameToken(one: string, other: string): boolean {
  return isSameText(unmasked(one), unmasked(other));
}

function unmasked(text: string): string {
  const bytes = Buffer.from(text.slice(0, 100), 'base64url');
  if (bytes.length !== 2 * TOKEN_BYTES) return text;
  const mask = bytes.subarray(0, TOKEN_BYTES);
  const token = Uint8Array.from(bytes.subarray(TOKEN_BYTES), (byte, at) => byte ^ (mask[at] ?? 0));
  return Buffer.from(token).toString('base64url');
}

/** The token of a form in a browser without a session: only an owner of `secret` can make it. */
export function formTokenOf(secret: Uint8Array | string, value: string): string {
  return createHmac('sha256', secret).update(value).digest('base64url');
}
