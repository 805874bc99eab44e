import { LOG_PREFIX } from '../../../codecs/tlog/log-origin.ts';
import type { Checker } from '../../checker.ts';
import { hasDocument } from '../../document-source.ts';
import { CHECKPOINT } from '../publish/log-paths.ts';
import { checkLog } from './check-log.ts';
import { logDocuments } from './gather-log.ts';

export const TLOG_CHECKER: Checker = {
  holds: (source) => hasDocument(source, [logDocuments(source).addressOf(CHECKPOINT)]),

  names: ({ pathname }) => pathname.endsWith(`/${LOG_PREFIX}/${CHECKPOINT}`),

  check: (source) => checkLog(logDocuments(source)),
};
