/** The parts that tests use of two packages without types. */

/** An S3 server. It knows one key, and does not check signatures. */
declare module 's3rver' {
  export default class S3rver {
    constructor(options: object);
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}

/** An independent signer. */
declare module 'aws4' {
  const aws4: {
    sign(request: object, credentials: object): { readonly headers: Readonly<Record<string, string>> };
  };
  export default aws4;
}
