/** How to sign a request: two samples to paste, the rules, and in the sandbox the dry run. */
import type { Operation } from '../../../http/operation.js';
import type { PageAnswer } from '../../../http/pages.js';
import type { AreaView } from '../../areas.js';
import { Summary } from '../../components/blocks.js';
import { CodeBlock } from '../../components/code-block.js';
import { Records } from '../../components/records.js';
import { htmlPage } from '../../components/shell.js';
import { Prose } from '../../components/text.js';
import type { Frame } from '../../frame.js';
import { AreaNavigation, Contents } from '../navigation.js';
import { nodeSample, type SampleParts, shellSample } from './samples.js';

interface Props {
  readonly frame: Frame;
  readonly areas: readonly AreaView[];
  /** The subscription key of a demo application, in the sandbox. */
  readonly demoKey: string | undefined;
}

const PATH = '/docs/signatures';

/** The operation that the samples call: one with a body, so that the digest has something to say. */
const sampleOf = (areas: readonly AreaView[]): Pick<Operation, 'path' | 'bodyExample'> | undefined =>
  areas.flatMap(({ operations }) => operations).find(({ body, headers }) => body && headers.length > 0);

const Samples = ({ frame, areas, demoKey }: Props) => {
  const called = sampleOf(areas);
  if (!called) return null;
  const parts: SampleParts = {
    baseUrl: frame.baseUrl,
    path: called.path,
    body: called.bodyExample,
    demoKey,
  };
  return (
    <section class="stack" id="samples" aria-labelledby="samples-title">
      <h2 id="samples-title">A signed request to paste</h2>
      <p>
        {demoKey === undefined
          ? 'You need a subscription key, an access token, and a qualified certificate for electronic seals (QSealC) with its private key.'
          : 'Everything is fetched from the sandbox: a token, and a certificate for a key of your own. The answer is 200.'}
      </p>
      <CodeBlock name="Terminal: curl and openssl" code={shellSample(parts)} />
      <CodeBlock name="Node, without packages: save as sign.mjs" code={nodeSample(parts)} />
    </section>
  );
};

const rules = [
  {
    name: 'Digest',
    words:
      'Of the bytes of the body: `SHA-256=` or `SHA-512=` and base64. A call without a body has the digest of nothing.',
  },
  {
    name: 'Signature',
    words:
      '`keyId`, `algorithm`, `headers`, `signature`, and where you like `created` and `expires` in seconds (draft-cavage-http-signatures).',
  },
  {
    name: 'keyId',
    words:
      '`SN=` serial number, `,CA=` issuer of the certificate. The number is hexadecimal or decimal; the issuer may be written in any order.',
  },
  {
    name: 'algorithm',
    words:
      '`rsa-sha256`, `rsa-sha512` or `ecdsa-sha256`, as the key is. `hs2019` is refused: it does not say how was signed.',
  },
  {
    name: 'headers',
    words:
      'At least `digest` and `x-request-id`; also `psu-id`, `psu-corporate-id`, `date` and `tpp-redirect-uri` where you send them. Add `(request-target)` and `(created)`: a bank may demand them.',
  },
  {
    name: 'TPP-Signature-Certificate',
    words: 'Base64 of the certificate, DER or PEM. It must be your own, with the role of the area.',
  },
  {
    name: 'Times',
    words:
      '`Date` within five minutes of the time of the bank; `created` not in the future and at most five minutes ago; `expires` not over.',
  },
  {
    name: 'RFC 9421',
    words:
      'Accepted too: `Signature-Input`, `Signature` and `Content-Digest` in place of `Digest`, one signature with `alg`: `rsa-v1_5-sha256`, `rsa-pss-sha512`, `ecdsa-p256-sha256` or `ecdsa-p384-sha384`.',
  },
] as const;

const policies = [
  {
    name: 'off',
    words: 'No signature is verified. The headers must still come together, and the digest be right.',
  },
  { name: 'if-present', words: 'A signature that is sent is verified.' },
  { name: 'required', words: 'Every call of an operation that takes the headers is signed.' },
  {
    name: 'strict',
    words:
      'In addition the signature covers `(request-target)`, and `date` or `(created)`: it cannot be used for another call.',
  },
] as const;

const Rules = () => (
  <section class="stack" id="rules" aria-labelledby="rules-title">
    <h2 id="rules-title">The rules</h2>
    <Summary facts={rules.map(({ name, words }) => ({ name, value: <Prose text={words} /> }))} />
    <h3 id="policies">How far you must sign</h3>
    <p>The bank has a policy for everybody, and may have another one for you.</p>
    <Records
      caption="Policies"
      shape="pairs"
      columns={['Policy', 'Meaning']}
      rows={policies.map(({ name, words }) => ({
        key: name,
        cells: [<code key="name">{name}</code>, <Prose key="words" text={words} />],
      }))}
    />
  </section>
);

const Refused = ({ frame }: Pick<Props, 'frame'>) => (
  <section class="stack" id="refused" aria-labelledby="refused-title">
    <h2 id="refused-title">When it is refused</h2>
    <p>
      <Prose text="The answer names the check that failed in `extensions.signature.failed`. See " />
      <a href={frame.href('/problems/signature-invalid')}>signature</a>,{' '}
      <a href={frame.href('/problems/certificate-invalid')}>certificate</a> and{' '}
      <a href={frame.href('/problems/digest-mismatch')}>digest</a>.
    </p>
    {frame.isSandbox && (
      <p>
        <Prose text="The dry run shows more: send `POST /sandbox/signature-check` with `method`, `path`, `headers` and `body` of the request that you want to send. It answers with the signing string that the bank has built, the digest of the body, and every check of the signature and of the certificate with its verdict. Compare the signing string with yours: a difference of one character is enough." />
      </p>
    )}
  </section>
);

export const signaturesPage = (props: Props): PageAnswer => {
  const { frame, areas } = props;
  return htmlPage({
    frame,
    title: 'Signed requests',
    description: 'How to sign a request with your certificate: samples to paste, and the rules.',
    path: PATH,
    children: (
      <>
        <div class="page-head">
          <AreaNavigation frame={frame} areas={areas} path={PATH} />
          <h1>Sign your first request in minutes</h1>
          <p class="lead">
            A signature shows that a request is yours and was not changed on the way. It covers headers of the
            request, among them the digest of its body.
          </p>
        </div>
        <div class="reference">
          <Contents
            entries={[
              { id: 'samples', title: 'A signed request to paste' },
              { id: 'rules', title: 'The rules' },
              { id: 'policies', title: 'How far you must sign' },
              { id: 'refused', title: 'When it is refused' },
            ]}
          />
          <div class="stack-wide">
            <Samples {...props} />
            <Rules />
            <Refused frame={frame} />
          </div>
        </div>
      </>
    ),
  });
};
