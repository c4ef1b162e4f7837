/** The work of a thread that reads uploads. Node's reader of forms does not let anything else happen meanwhile. */
import { parentPort } from 'node:worker_threads';
import type { ArrivedForm, SentForm, UploadQuestion, UploadReaders, UploadReply } from './upload.js';

const formOf = async (arrived: ArrivedForm): Promise<SentForm | undefined> => {
  if ('fields' in arrived) return { ...arrived, files: {} };
  const content = new Response(arrived.body, { headers: { 'Content-Type': arrived.type } });
  const form = await content.formData().catch(() => undefined);
  if (!form) return undefined;
  const fields: Record<string, string> = {};
  const files: Record<string, Uint8Array> = {};
  for (const [name, value] of form)
    if (typeof value === 'string') fields[name] = value;
    else files[name] = new Uint8Array(await value.arrayBuffer());
  return { fields, files };
};

/** Call it once, in the thread. */
export const answerUploads = (readers: UploadReaders): void => {
  const answer = async (question: UploadQuestion): Promise<UploadReply> => {
    const read = readers[question.reader] as (input: unknown) => unknown;
    if ('input' in question) return { fields: {}, content: read(question.input) };
    const form = await formOf(question.form);
    return form && { fields: form.fields, content: read(form) };
  };
  parentPort?.on('message', (question: UploadQuestion) => {
    void answer(question).then((reply) => parentPort?.postMessage(reply));
  });
};
