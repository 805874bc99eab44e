import { TidingsError } from './tidings-error.ts';

/** An invalid request of an MCP client, which a model cannot correct. The answer is a JSON-RPC error. */
export class McpRequestError extends TidingsError {
  override readonly name = 'McpRequestError';
  readonly recovery = 'fix-input';
  readonly is: 'unknown-tool' | 'unknown-resource' | 'bad-cursor';
  /** The requested resource, if it does not exist. */
  readonly uri: string | undefined;

  constructor(is: McpRequestError['is'], message: string, uri?: string) {
    super(message);
    this.is = is;
    this.uri = uri;
  }
}
