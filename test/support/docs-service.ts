import type { DiffDeltaService } from './diffdelta-service.ts';

export const HEAD = '/diff/docs/head.json';
export const LATEST = '/diff/docs/latest.json';
export const direct = (service: DiffDeltaService) => ({ urls: [new URL(HEAD, service.origin).href] });

export const said = (events: readonly { action: string; url: string }[]) =>
  events.map(({ action, url }) => `${action} ${new URL(url).pathname}`);

export function headText(service: DiffDeltaService): string {
  const { cursor, prev_cursor, changed, generated_at, ttl_sec } = service.feedOf('docs');
  return JSON.stringify({ cursor, prev_cursor, changed, generated_at, ttl_sec, latest_url: LATEST });
}
