import { hash } from 'node:crypto';
import { exportPlaceError } from '../../errors/export-error.ts';
import { readBodyText, readBytes } from '../../fetch/read-text.ts';
import type { ExportTarget, TargetFile } from '../../hub/export/export-target.ts';
import type { Artifact } from '../../model/artifact.ts';
import { decodeObjectList } from './list-objects.ts';
import { S3Bucket, type S3BucketOptions } from './s3-bucket.ts';

export interface ExportBucketOptions extends S3BucketOptions {
  /** What all keys begin with: empty, or with a final slash. */
  readonly prefix: string;
}

/** Stored with each object: if the server stores it in another form, its ETag is not a hash of what was sent. */
const SHA256 = 'x-amz-meta-sha256';
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** Longer objects are not written in one request. */
const MAX_OBJECT_BYTES = 5 * 1024 * 1024 * 1024;

/** The objects of a bucket below a prefix. Media type and cache rule are stored with each object. */
export function createExportBucket(options: ExportBucketOptions): ExportTarget {
  const { bucket: name, prefix } = options;
  const bucket = new S3Bucket(options);
  const get = (path: string) =>
    bucket.ask({ method: 'GET', key: prefix + path, maxBodyBytes: MAX_OBJECT_BYTES }, [200, 404]);
  const put = async (artifact: Artifact, conditions: Readonly<Record<string, string>>) => {
    const { path, bytes: body, mediaType, cacheControl } = artifact;
    const about = { 'content-type': mediaType, 'cache-control': cacheControl, [SHA256]: hash('sha256', body, 'hex') };
    const answer = await bucket.ask(
      { method: 'PUT', key: prefix + path, headers: { ...about, ...conditions }, body },
      [200, 412],
    );
    await answer.discard();
    if (answer.status === 412) return undefined;
    return { bytes: body.length, stamp: (answer.headers.etag ?? md5(body)).replaceAll('"', '') };
  };
  const read = async (path: string) => {
    const answer = await get(path);
    if (answer.status === 200) return await readBytes(answer, { maxBytes: MAX_OBJECT_BYTES });
    await answer.discard();
    return undefined;
  };
  return {
    name: `s3://${name}/${prefix}`,
    wantsHeaderFiles: false,
    list: () => listAll(bucket, options),
    read,
    async holds(path, file, bytes) {
      if (file.bytes !== bytes.length) return false;
      if (file.stamp === md5(bytes)) return true;
      const answer = await get(path);
      const sha256 = answer.headers[SHA256];
      await answer.discard();
      if (sha256 !== undefined) return sha256 === hash('sha256', bytes, 'hex');
      return Buffer.compare((await read(path)) ?? new Uint8Array(), bytes) === 0;
    },
    add: (artifact) => put(artifact, { 'if-none-match': '*' }),
    async replace(artifact) {
      const written = await put(artifact, {});
      if (written === undefined) throw exportPlaceError(`s3://${name}`, { status: 412, code: undefined });
      return written;
    },
  };
}

async function listAll(
  bucket: S3Bucket,
  { bucket: name, prefix }: ExportBucketOptions,
): Promise<Map<string, TargetFile>> {
  const files = new Map<string, TargetFile>();
  let next: string | undefined;
  do {
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      prefix,
      ...(next !== undefined && { 'continuation-token': next }),
    };
    const answer = await bucket.ask({ method: 'GET', query, maxBodyBytes: MAX_LIST_BYTES }, [200]);
    const list = decodeObjectList(await readBodyText(answer, { maxBytes: MAX_LIST_BYTES }));
    if (list === undefined) throw exportPlaceError(`s3://${name}`, { status: 200, code: 'no list of objects' });
    for (const { key, ...file } of list.objects) files.set(key.slice(prefix.length), file);
    next = list.next;
  } while (next !== undefined);
  return files;
}

function md5(bytes: Uint8Array): string {
  return hash('md5', bytes, 'hex');
}
