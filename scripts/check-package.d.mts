export interface PackedFile {
  readonly path: string;
  readonly bytes: number;
}

export interface PackedPackage {
  readonly files: readonly PackedFile[];
  readonly packedBytes: number;
}

export const PACKAGE_BOUNDS: Readonly<Record<string, number>>;
export const MAX_PACKED_BYTES: number;
export function packedFiles(root: string): PackedPackage;
export function sizesByFolder(files: readonly PackedFile[]): Map<string, number>;
export function packageFlaws(packed: PackedPackage): string[];
