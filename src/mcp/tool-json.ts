export type ToolValue = string | number | boolean | null | readonly ToolValue[] | ToolObject;

export interface ToolObject {
  readonly [key: string]: ToolValue | undefined;
}
