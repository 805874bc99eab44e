import { AGENT_FORMS, type AgentForm } from '../../codecs/message-signatures/signature-agent.ts';
import { type Decode, fieldsOf, oneOf, refused } from './setting-decoders.ts';

/** How the crawler signs its requests. */
export interface BotAuthSettings {
  /** The file with its keys. Absolute once decoded. */
  readonly key: string;
  /** Absent: every request. */
  readonly sign?: 'always' | 'challenged';
  /** How requests say where the keys are. Absent: in the form of the newest draft. */
  readonly signatureAgent?: AgentForm;
}

/** `{ "key": "./bot-key.json", "sign": "challenged", "signatureAgent": "bare" }` */
export function botAuthIn(path: Decode<string>): Decode<BotAuthSettings> {
  const shape = { key: path, sign: oneOf(['always', 'challenged']), signatureAgent: oneOf(AGENT_FORMS) };
  return (value, at) => {
    const { key, ...rest } = fieldsOf(shape, value, at);
    if (key === undefined) throw refused(`${at}.key`, key, 'Name a key file; make one with "tidings keys new".');
    return { key, ...rest };
  };
}
