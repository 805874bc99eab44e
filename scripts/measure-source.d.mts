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

export const MAX_FUNCTION_LINES: number;
export const MAX_PARAMETERS: number;
export function readSource(root: string): Map<string, string>;
export function measureSource(files: ReadonlyMap<string, string>): SourceMeasures;
