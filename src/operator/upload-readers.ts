/** How each upload of the console is read. Only its thread loads this: pages know the types alone. */
import { type ReadList, readList, reviewDraft } from '../atms/review.js';
import type { SentForm } from '../http/upload.js';
import { parseChannels, type ReadChannels } from '../statistics/read-channels.js';

/** The file, or its text that was pasted; undefined if there is neither. */
const sentIn = ({ fields, files: { file } }: SentForm): Uint8Array | undefined => {
  const bytes = file?.byteLength ? file : Buffer.from(fields.pasted?.trim() ?? '');
  return bytes.byteLength === 0 ? undefined : bytes;
};

export const uploadReaders = {
  atms: (form: SentForm): ReadList | undefined => {
    const bytes = sentIn(form);
    return bytes && readList(bytes);
  },
  channels: (form: SentForm): ReadChannels | undefined => {
    const text = new TextDecoder().decode(sentIn(form));
    return text.trim() === '' ? undefined : parseChannels(text);
  },
  draft: reviewDraft,
} as const;
