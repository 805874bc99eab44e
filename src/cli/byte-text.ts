const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes as people read it: `12 KiB`, `3.4 GiB`. */
export function byteText(bytes: number): string {
  let size = bytes / 1024;
  let unit = 0;
  for (; size >= 1024 && unit < UNITS.length - 1; unit += 1) size /= 1024;
  return unit === 0 ? `${Math.ceil(size)} KiB` : `${size.toFixed(1)} ${UNITS[unit]}`;
}
