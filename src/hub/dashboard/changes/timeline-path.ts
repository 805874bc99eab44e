import type { ChangeLine } from './change-line.ts';

/** Where all versions of a page or a section are, below the hub. */
export function timelinePath({ source, url, anchor }: Pick<ChangeLine, 'source' | 'url' | 'anchor'>): string {
  return `timeline?${new URLSearchParams({ source, url, ...(anchor !== undefined && { anchor }) })}`;
}
