import type { CallContext } from './mcp-ports.ts';
import type { ToolObject } from './tool-json.ts';

/** JSON Schema 2020-12 of an object. No `$ref`, and only `properties` at the top: some clients drop all tools because of one that has more. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ToolObject>>;
  readonly required?: readonly string[];
  readonly additionalProperties: boolean;
}

/** Hints for clients. All are stated, since an absent hint counts as destructive. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether it reaches beyond this hub. */
  readonly openWorldHint: boolean;
}

/** A tool as clients see it. Each word of it costs context in every conversation. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: ToolAnnotations;
}

export interface Tool extends ToolDefinition {
  /** Only the hub's admin has this tool. */
  readonly isForAdmin?: true;
  /** It may ask other sites. */
  readonly isLive?: true;
  /** Receives the arguments unchecked. Throws a TidingsError for what cannot be done. The answer fits `outputSchema` and its budget of tokens. */
  run(args: ToolObject, context: CallContext): Promise<ToolObject>;
}

export const READS_HUB: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export const READS_WEB: ToolAnnotations = { ...READS_HUB, openWorldHint: true };
