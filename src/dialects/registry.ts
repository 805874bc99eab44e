import { AGENT_FEED } from './agent-feed/agent-feed.ts';
import { AICF } from './aicf/aicf.ts';
import { AIDOCUMENT } from './aidocument/aidocument.ts';
import { ATOM } from './atom/atom.ts';
import type { Dialect } from './dialect.ts';
import { DIFFDELTA } from './diffdelta/diffdelta.ts';
import { HTML } from './html/html.ts';
import { LLMS_TXT } from './llms-txt/llms-txt.ts';
import { RESOURCESYNC } from './resourcesync/resourcesync.ts';
import { TLOG } from './tlog/tlog.ts';

/** Every dialect that Tidings speaks, in the order in which they are looked for and written. */
export const DIALECTS: readonly Dialect[] = [
  AICF,
  DIFFDELTA,
  RESOURCESYNC,
  ATOM,
  AGENT_FEED,
  AIDOCUMENT,
  LLMS_TXT,
  HTML,
  TLOG,
];
