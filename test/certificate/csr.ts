/** Certificate requests (PKCS #10). */
import { type KeyObject, sign } from 'node:crypto';
import { nameDer } from '../../packages/sandbox/src/authority/build.js';
import { OID } from '../../src/certificate/der/oids.js';
import { bits, integer, oid, sequence, wrap } from '../../src/certificate/der/write.js';

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export const csrOf = (keys: Keys, signer = keys.privateKey): string => {
  const name = nameDer([{ oid: OID.commonName, value: 'anything' }]);
  const key = keys.publicKey.export({ type: 'spki', format: 'der' });
  const info = sequence(integer(0), name, key, wrap(0));
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  return sequence(info, algorithm, bits(sign('sha256', info, signer))).toString('base64');
};
