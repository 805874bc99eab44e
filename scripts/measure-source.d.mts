export interface FunctionPlace {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

export interface DoubledName {
  readonly name: string;
  readonly paths: readonly string[];
}

export interface SourceMeasures {
  readonly files: number;
  readonly lines: number;
  readonly long: readonly (FunctionPlace & { readonly lines: number })[];
  readonly wide: readonly (FunctionPlace & { readonly parameters: number })[];
  readonly doubled: readonly DoubledName[];
}

/** A node of ESTree. Which other fields there are depends on its type. */
export interface SyntaxNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const MAX_FUNCTION_LINES: number;
export const MAX_PARAMETERS: number;
export function readSource(root: string): Map<string, string>;
export function measureSource(files: ReadonlyMap<string, string>): SourceMeasures;
export function parseSource(path: string, source: string): SyntaxNode & { readonly body: readonly SyntaxNode[] };
