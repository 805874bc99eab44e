import type { CallContext } from './mcp-ports.ts';
import type { ToolObject } from './tool-json.ts';

/** JSON Schema 2020-12 of an object. No `$ref`, nothing but `properties` at the top: some clients drop all tools for one that has more. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ToolObject>>;
  readonly required?: readonly string[];
  readonly additionalProperties: boolean;
}

/** Hints for clients. All are said: what is unsaid counts as destructive. */
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
  /** Whether only the hub's admin has it. */
  readonly isForAdmin?: true;
  /** Whether it may ask other sites. */
  readonly isLive?: true;
  /** Gets the arguments as they came. Throws a TidingsError for what cannot be done. The answer fits `outputSchema` and its budget of tokens. */
  run(args: ToolObject, context: CallContext): Promise<ToolObject>;
}

export const READS_HUB: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export const READS_WEB: ToolAnnotations = { ...READS_HUB, openWorldHint: true };
