/** The JSON columns of an application. */
import { Type } from 'typebox';
import { jsonColumn } from '../store/json-column.js';

export const redirectUrisColumn = jsonColumn<readonly string[]>(
  'the redirect addresses of an application',
  Type.Array(Type.String()),
);

export interface Jwk {
  readonly kty?: string;
  readonly crv?: string;
  readonly alg?: string;
}
const name = Type.Optional(Type.String());

/** Public keys for private_key_jwt. */
export const jwksColumn = jsonColumn<{ readonly keys: readonly Jwk[] }>(
  'the key set of an application',
  Type.Object({ keys: Type.Array(Type.Object({ kty: name, crv: name, alg: name })) }),
);
