import { TidingsError } from './tidings-error.ts';

/** A request of an MCP client that is wrong itself, whatever a model would do about it. It is answered with a JSON-RPC error. */
export class McpRequestError extends TidingsError {
  override readonly name = 'McpRequestError';
  readonly recovery = 'fix-input';
  readonly is: 'unknown-tool' | 'unknown-resource' | 'bad-cursor';
  /** Of a resource that is not there: what was asked for. */
  readonly uri: string | undefined;

  constructor(is: McpRequestError['is'], message: string, uri?: string) {
    super(message);
    this.is = is;
    this.uri = uri;
  }
}
