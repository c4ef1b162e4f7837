/** A certificate that signs itself, for measuring TLS: `tls.pem` and `tls.key` in a folder of the run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyPem, newKeyPair } from '#sandbox/authority/authority.js';
import { buildCertificate, newSerial } from '#sandbox/authority/build.js';
import { pemOf } from '#trapeza/certificate/certificate.js';
import { OID } from '#trapeza/certificate/der/oids.js';
import { DAY } from '#trapeza/lib/clock.js';
import { tempFolder } from './endings.js';

const makeCertificate = async (): Promise<string> => {
  const { publicKey, privateKey } = await newKeyPair('ec');
  const subject = [{ oid: OID.commonName, value: 'bench.example' }];
  const plan = {
    serial: newSerial(),
    issuer: subject,
    subject,
    notBefore: Date.now() - DAY,
    notAfter: Date.now() + DAY,
    publicKey,
    extensions: [],
  };
  const folder = tempFolder('bench-tls');
  writeFileSync(join(folder, 'tls.pem'), pemOf(buildCertificate(plan, privateKey)));
  writeFileSync(join(folder, 'tls.key'), keyPem(privateKey), { mode: 0o600 });
  return folder;
};

let made: Promise<string> | undefined;

/** The folder; made once. */
export const certificateFolder = (): Promise<string> => {
  made ??= makeCertificate();
  return made;
};

export const tlsEnv = async (): Promise<Record<string, string>> => {
  const folder = await certificateFolder();
  return {
    TRAPEZA_TLS_CERTIFICATE: join(folder, 'tls.pem'),
    TRAPEZA_TLS_KEY: join(folder, 'tls.key'),
  };
};
