/** How a form of ours is posted, and what every one of them refuses. */
import { posted as postedForm } from '../../support/form.js';
import { type Apply, type Draft, header, type Rule, rule, setHeader } from './target.js';
import type { World } from './world.js';

export type Fields = Readonly<Record<string, string>>;

export const writeForm = (draft: Draft, { form_token: token, ...fields }: Fields): void => {
  if (token !== undefined)
    draft.path = postedForm(draft.path.split('?')[0] ?? '', { form_token: token }).path;
  draft.body = Buffer.from(new URLSearchParams(fields).toString());
  setHeader(draft, 'Content-Type', 'application/x-www-form-urlencoded');
};

export const form =
  (fields: (world: World) => Fields): Apply =>
  (draft, _random, world) =>
    writeForm(draft, fields(world));

export const cookie =
  (pick: (world: World) => string | undefined): Apply =>
  (draft, _random, world) =>
    setHeader(draft, 'Cookie', pick(world));

/** Of every form of ours. */
export const formRules: readonly Rule[] = [
  rule('media type', '415 unsupported-media-type', header('Content-Type', 'text/plain', 'application/xml')),
  rule('form size', '400 message-too-large', (draft, random) => {
    draft.body = Buffer.from(`a=${'x'.repeat(16_385 + random.int(3000))}`);
  }),
  rule('origin', '403 access-blocked', header('Origin', 'https://evil.example', 'null')),
  rule('other site', '403 access-blocked', header('Sec-Fetch-Site', 'cross-site')),
];
