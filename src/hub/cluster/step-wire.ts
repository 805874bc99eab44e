const BYTES = '$bytes';

/** A step of documents as JSON: bytes become base64. */
export function stepToWire(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [BYTES]: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(stepToWire);
  return isObject(value) ? mapped(value, stepToWire) : value;
}

export function stepFromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stepFromWire);
  if (!isObject(value)) return value;
  const bytes = value[BYTES];
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : mapped(value, stepFromWire);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function mapped(value: Readonly<Record<string, unknown>>, by: (part: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, by(part)]));
}
