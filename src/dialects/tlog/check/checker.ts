import { LOG_PREFIX } from '../../../codecs/tlog/log-origin.ts';
import { UnreadableTargetError } from '../../../errors/unreadable-target-error.ts';
import type { Checker } from '../../checker.ts';
import { type DocumentSource, hasDocument } from '../../document-source.ts';
import { CHECKPOINT } from '../publish/log-paths.ts';
import { checkLog } from './check-log.ts';
import { logDocuments } from './gather-log.ts';
import { TLOG_HINTS } from './tlog-hints.ts';

export const TLOG_CHECKER: Checker = {
  hints: TLOG_HINTS,

  holds: (source) => hasDocument(source, addressesOf(source)),

  names: ({ pathname }) => pathname.endsWith(`/${LOG_PREFIX}/${CHECKPOINT}`),

  async check(source) {
    for (const documents of logDocuments(source)) {
      if (await hasDocument(source, [documents.addressOf(CHECKPOINT)])) return await checkLog(documents);
    }
    throw new UnreadableTargetError(source.name, 'it has no provable log', 'fix-input');
  },
};

function addressesOf(source: DocumentSource): readonly string[] {
  return logDocuments(source).map(({ addressOf }) => addressOf(CHECKPOINT));
}
