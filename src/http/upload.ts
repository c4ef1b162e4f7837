/** Forms with files, for the pages that have one. */

/** What came with it, by field. */
export class Upload {
  readonly fields: Record<string, string> = {};
  readonly files: Record<string, Uint8Array> = {};
}

export const refusedUpload = (statusCode: number): Error =>
  Object.assign(new Error('upload'), { statusCode });

/** Node's own reader of such forms. */
export const readUpload = async (type: string, body: Buffer): Promise<Upload> => {
  const content = new Response(new Uint8Array(body), { headers: { 'Content-Type': type } });
  const form = await content.formData().catch(() => {
    throw refusedUpload(400);
  });
  const upload = new Upload();
  for (const [name, value] of form)
    if (typeof value === 'string') upload.fields[name] = value;
    else upload.files[name] = new Uint8Array(await value.arrayBuffer());
  return upload;
};
