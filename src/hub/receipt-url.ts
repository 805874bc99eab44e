/** Where the receipt of a change is. `hubUrl` has a final slash. */
export function receiptUrl(hubUrl: string, id: string): string {
  return new URL(`api/v1/changes/${encodeURIComponent(id)}/receipt`, hubUrl).href;
}
