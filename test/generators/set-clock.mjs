// Preload of a build: clocks begin at BUILD_NOW and go on from there.
const started = Date.now();
const RealDate = Date;
const now = () => RealDate.parse(process.env.BUILD_NOW) + (RealDate.now() - started);

globalThis.Date = class SetDate extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }
  static now() {
    return now();
  }
};
