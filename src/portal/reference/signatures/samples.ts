/**
 * A whole signed request to paste, for the shell and for Node. In the sandbox it fetches everything it needs first; in production
 * a third party has its own key, certificate and token. The tests run both.
 */
import { singleQuoted } from '../curl.js';

export interface SampleParts {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The path of the operation, from the root of the service. */
  readonly path: string;
  readonly body: unknown;
  /** The subscription key of a demo application, in the sandbox. */
  readonly demoKey: string | undefined;
}

/** The signature covers the whole path, including a prefix of the service. */
const placesOf = ({ baseUrl, path }: SampleParts) => {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  return { origin, base: `${origin}${prefix}`, target: `${prefix}${path}` };
};

const READ = (name: string): string => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;

const shellPreparation = (parts: SampleParts): string => {
  const { base } = placesOf(parts);
  if (parts.demoKey === undefined)
    return `KEY='your subscription key'
TOKEN='an access token'
# seal.key is the private key, seal.pem the certificate (QSealC).`;
  return `KEY='${parts.demoKey}'
TOKEN=$(curl -s -X POST ${base}/sandbox/tokens | ${READ('access_token')})

# A key of your own, and a certificate of the sandbox for it.
CSR=$(openssl req -new -newkey rsa:2048 -nodes -keyout seal.key -subj /CN=seal -outform DER 2>/dev/null | openssl base64 -A)
curl -s ${base}/sandbox/pki/certificates -H 'Content-Type: application/json' -d "{\\"csr\\":\\"$CSR\\"}" \\
  | ${READ('header')} | openssl base64 -d -A | openssl x509 -inform DER -out seal.pem`;
};

export const shellSample = (parts: SampleParts): string => {
  const { origin, target } = placesOf(parts);
  return `${shellPreparation(parts)}

TARGET='${target}'
BODY=${singleQuoted(JSON.stringify(parts.body))}
ID=$(openssl rand -hex 16 | sed 's/\\(.\\{8\\}\\)\\(....\\).\\(...\\).\\(...\\)/\\1-\\2-4\\3-8\\4-/')
CREATED=$(date +%s)
DIGEST="SHA-256=$(printf %s "$BODY" | openssl dgst -sha256 -binary | openssl base64 -A)"

SIGNING_STRING="(request-target): post $TARGET
(created): $CREATED
digest: $DIGEST
x-request-id: $ID"
SIGNATURE=$(printf %s "$SIGNING_STRING" | openssl dgst -sha256 -sign seal.key | openssl base64 -A)

SERIAL=$(openssl x509 -in seal.pem -noout -serial | cut -d= -f2)
ISSUER=$(openssl x509 -in seal.pem -noout -issuer -nameopt RFC2253 | sed 's/^issuer= *//')
curl -s "${origin}$TARGET" -X POST \\
  -H "Ocp-Apim-Subscription-Key: $KEY" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "X-Request-ID: $ID" \\
  -H "Digest: $DIGEST" \\
  -H "Signature: keyId=\\"SN=$SERIAL,CA=$ISSUER\\",algorithm=\\"rsa-sha256\\",created=$CREATED,headers=\\"(request-target) (created) digest x-request-id\\",signature=\\"$SIGNATURE\\"" \\
  -H "TPP-Signature-Certificate: $(openssl x509 -in seal.pem -outform DER | openssl base64 -A)" \\
  -H 'Content-Type: application/json' \\
  -d "$BODY"`;
};

const nodePreparation = (parts: SampleParts): string => {
  const { base } = placesOf(parts);
  if (parts.demoKey === undefined)
    return `import { readFileSync } from 'node:fs';

const key = 'your subscription key';
const token = 'an access token';
const privateKey = readFileSync('seal.key');
const certificate = new X509Certificate(readFileSync('seal.pem'));`;
  return `const sandbox = async (path, body) => {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  return (await fetch('${base}/sandbox' + path, init)).json();
};
const key = '${parts.demoKey}';
const { access_token: token } = await sandbox('/tokens', {});
const { privateKey, certificate: pem } = await sandbox('/pki/certificates', {});
const certificate = new X509Certificate(pem);`;
};

const dryRun = (parts: SampleParts): string =>
  parts.demoKey === undefined
    ? ''
    : `

// What the bank makes of it, without carrying it out.
const dryRun = await sandbox('/signature-check', { method: 'POST', path: target, headers, body });
console.log(dryRun.wouldPass, dryRun.signingString === signingString);`;

export const nodeSample = (parts: SampleParts): string => {
  const { origin, target } = placesOf(parts);
  return `import { createHash, randomUUID, sign, X509Certificate } from 'node:crypto';
${nodePreparation(parts)}

const target = '${target}';
const body = JSON.stringify(${JSON.stringify(parts.body)});
const id = randomUUID();
const created = Math.floor(Date.now() / 1000);
const digest = 'SHA-256=' + createHash('sha256').update(body).digest('base64');

const signingString = [
  '(request-target): post ' + target,
  '(created): ' + created,
  'digest: ' + digest,
  'x-request-id: ' + id,
].join('\\n');
const signature = sign('sha256', Buffer.from(signingString), privateKey).toString('base64');

const headers = {
  'Ocp-Apim-Subscription-Key': key,
  Authorization: 'Bearer ' + token,
  'X-Request-ID': id,
  Digest: digest,
  Signature: [
    'keyId="SN=' + certificate.serialNumber + ',CA=' + certificate.issuer.split('\\n').join(',') + '"',
    'algorithm="rsa-sha256"',
    'created=' + created,
    'headers="(request-target) (created) digest x-request-id"',
    'signature="' + signature + '"',
  ].join(','),
  'TPP-Signature-Certificate': certificate.raw.toString('base64'),
  'Content-Type': 'application/json',
};${dryRun(parts)}

const answer = await fetch('${origin}' + target, { method: 'POST', headers, body });
console.log(answer.status, await answer.text());`;
};
