/** What a page calls the place that a fragment leads to. */
export function decodedAnchor(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
