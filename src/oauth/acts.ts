/** Rolling the keys that sign access tokens and notifications. What makes a key is loaded by those who roll, not by every command. */
import { act } from '../acts/act.js';
import { given } from '../acts/field.js';
import type { KeyPurpose, SigningAlgorithm } from './signing-keys.js';
import { texts } from './texts.js';

/** Publishes the next key; it is used a little later. */
export const rollSigningKey = act({
  name: 'signing-key.roll',
  about: 'new',
  within: 'exclusive',
  roles: [],
  texts,
  input: { purpose: given<KeyPurpose>(), algorithm: given<SigningAlgorithm>() },
  audited: ['algorithm'],
  async prepare({ audit }, { input: { algorithm } }) {
    const { generateKey } = await import('./signing-keys.js');
    return generateKey(audit.vault, algorithm);
  },
  async run(tx, { input: { purpose, algorithm }, now, prepared: made }) {
    const { insertNext } = await import('./signing-keys.js');
    return insertNext(tx, { purpose, algorithm, made }, now);
  },
  subject: (_id, { kid }) => `signing-key:${kid}`,
});
