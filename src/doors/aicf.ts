/** `tidings/aicf`: AICF v0.1 as values. */

export { boundaryOf } from '../codecs/aicf/boundary.ts';
export { type DecodedEvents, decodeAicfDiscovery as decodeDiscovery, decodeEvents } from '../codecs/aicf/decode.ts';
export { encodeDiscovery, encodeEvent } from '../codecs/aicf/encode.ts';
export type { AicfAction, AicfDiscovery, AicfEvent, AicfHints } from '../codecs/aicf/wire.ts';
export type { Issue, LineIssue, Result } from '../codecs/primitives/result.ts';
