/**
 * The Link header of a topic and of its deliveries, with both relations: `<https://hub.example/hub>; rel="hub", <…>; rel="self"`.
 * URLs are absolute.
 */
export function encodeHubLinks({ hub, self }: { readonly hub: string; readonly self: string }): string {
  return `<${hub}>; rel="hub", <${self}>; rel="self"`;
}
