/** The JSON columns of an application. */
import { jsonColumn, listOf, members, optional, text } from '../store/json-column.js';

export const redirectUrisColumn = jsonColumn<readonly string[]>(
  'the redirect addresses of an application',
  listOf(text),
);

export interface Jwk {
  readonly kty?: string;
  readonly crv?: string;
  readonly alg?: string;
}

const name = optional(text);

/** Public keys for private_key_jwt. */
export const jwksColumn = jsonColumn<{ readonly keys: readonly Jwk[] }>(
  'the key set of an application',
  members({ keys: listOf(members({ kty: name, crv: name, alg: name })) }),
);
