import type { DeltaCounts } from '../../../codecs/diffdelta/wire.ts';
import type { ServedDocument } from '../../../hub/http/answer-document.ts';
import type { SourceStanding } from '../../shelf.ts';

/**
 * One DiffDelta file as it is served now. Its ETag is the cursor for the first bytes under it, with `.n` for later ones (T-DD-7).
 */
export interface RunFile extends ServedDocument {
  read(): Uint8Array | Promise<Uint8Array>;
}

/** Head and feed of one source, or of all. Both belong together: the cursor of the head is that of the feed. */
export interface RunVersion extends SourceStanding {
  readonly deltaCounts?: DeltaCounts;
  readonly head: RunFile;
  readonly latest: RunFile;
}
