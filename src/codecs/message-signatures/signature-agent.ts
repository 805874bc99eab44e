import type { CoveredComponent } from './components.ts';
import { fieldString } from './signature-base.ts';

/**
 * How a request says where its keys are. The drafts differ, and so do current verifiers:
 *
 * - `key-set`: a dictionary with the URL of the key set itself (draft-ietf-webbotauth-httpsig-protocol-01).
 * - `origin`: a dictionary with the origin of the directory (draft-meunier-web-bot-auth-architecture-04 and -05).
 * - `bare`: only the origin, as a string (-00 to -03; used by large verifiers in production).
 */
export const AGENT_FORMS = ['key-set', 'origin', 'bare'] as const;

export type AgentForm = (typeof AGENT_FORMS)[number];

export interface SignatureAgent {
  /** The value of the field. */
  readonly value: string;
  readonly component: CoveredComponent;
}

/** `directory` is where the key set is served: `https://hub.example/.well-known/http-message-signatures-directory`. */
export function signatureAgent(directory: URL, label: string, form: AgentForm): SignatureAgent {
  if (form === 'bare') return { value: fieldString(directory.origin), component: { name: 'signature-agent' } };
  const url = form === 'origin' ? directory.origin : directory.href;
  return { value: `${label}=${fieldString(url)}`, component: { name: 'signature-agent', key: label } };
}
