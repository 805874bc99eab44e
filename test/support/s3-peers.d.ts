/** The parts of two packages without types of their own that tests use. */

/** A server that speaks S3. It knows one key, and does not look at signatures. */
declare module 's3rver' {
  export default class S3rver {
    constructor(options: object);
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}

/** Another signer than ours. */
declare module 'aws4' {
  const aws4: {
    sign(request: object, credentials: object): { readonly headers: Readonly<Record<string, string>> };
  };
  export default aws4;
}
