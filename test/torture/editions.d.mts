export function pageOf(edition: number): string;
export function editionHtml(edition: number): string;
export const FIRST_EDITIONS: readonly number[];
