/** How to sign a request: two samples to paste, the rules, and in the sandbox the dry run. */
import type { Operation } from '../../../http/operation.js';
import type { PageAnswer } from '../../../http/pages.js';
import { Summary } from '../../../web/components/blocks.js';
import { CodeBlock } from '../../../web/components/code-block.js';
import { Records } from '../../../web/components/records.js';
import { htmlPage } from '../../../web/components/shell.js';
import { Prose } from '../../../web/components/text.js';
import type { Frame } from '../../../web/frame.js';
import type { AreaView } from '../../areas.js';
import { AreaNavigation, Contents } from '../navigation.js';
import { nodeSample, type SampleParts, shellSample } from './samples.js';

interface Props {
  readonly frame: Frame;
  readonly areas: readonly AreaView[];
  /** The subscription key of a demo application, in the sandbox. */
}

const PATH = '/docs/signatures';

/** The operation that the samples call: one with a body, so that the digest has something to say. */
const sampleOf = (areas: readonly AreaView[]): Pick<Operation, 'path' | 'bodyExample'> | undefined =>
  areas.flatMap(({ operations }) => operations).find(({ body, headers }) => body && headers.length > 0);

const Samples = ({ frame, areas }: Props) => {
  const demoKey = frame.additions?.exampleKey;
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
    text: 'Of the bytes of the body: `SHA-256=` or `SHA-512=` and base64. A call without a body has the digest of nothing. An empty or unknown digest is refused.',
  },
  {
    name: 'Signature',
    text: '`keyId`, `algorithm`, `headers`, `signature`, and where you like `created` and `expires` in seconds (draft-cavage-http-signatures).',
  },
  {
    name: 'keyId',
    text: '`SN=` serial number, `,CA=` issuer of the certificate. The number is hexadecimal or decimal; the issuer may be written in any order.',
  },
  {
    name: 'algorithm',
    text: '`rsa-sha256`, `rsa-sha512` or `ecdsa-sha256`, as the key is. `hs2019` is refused: it does not say how was signed.',
  },
  {
    name: 'headers',
    text: 'At least `digest` and `x-request-id`; also `psu-id`, `psu-corporate-id`, `date` and `tpp-redirect-uri` if you send them. Add `(request-target)` and `(created)`: a bank may demand them.',
  },
  {
    name: 'TPP-Signature-Certificate',
    text: 'Base64 of the certificate, DER or PEM. It must be your own, with the role of the area.',
  },
  {
    name: 'Times',
    text: '`Date` within five minutes of the time of the bank; `created` not in the future and at most five minutes ago; `expires` not over.',
  },
  {
    name: 'RFC 9421',
    text: 'Accepted too: `Signature-Input`, `Signature` and `Content-Digest` in place of `Digest`, one signature. `alg` is `rsa-v1_5-sha256`, `rsa-pss-sha512`, `ecdsa-p256-sha256` or `ecdsa-p384-sha384`; it may be absent with an EC key.',
  },
] as const;

const policies = [
  {
    name: 'off',
    text: 'No signature is verified. The headers must still come together, and the digest be right.',
  },
  { name: 'if-present', text: 'A signature that is sent is verified.' },
  { name: 'required', text: 'Every call of an operation that takes the headers is signed.' },
  {
    name: 'strict',
    text: 'In addition the signature covers `(request-target)`, `date` or `(created)`, and every header with an effect that you send: it cannot be used for another call.',
  },
] as const;

/** From the operations, so that the page and the check never differ. */
const effectiveHeaders = (areas: readonly AreaView[]): readonly string[] => {
  const names = areas
    .flatMap(({ operations }) => operations)
    .flatMap(({ headers }) => headers)
    .filter(({ hasEffect }) => hasEffect)
    .map(({ name }) => name.toLowerCase());
  return [...new Set([...names, 'psu-id', 'psu-corporate-id'])].sort();
};

const Strict = ({ areas }: Pick<Props, 'areas'>) => {
  const names = effectiveHeaders(areas).map((name) => `\`${name}\``);
  return (
    <>
      <p>
        <Prose text={`Headers with an effect are ${names.join(', ')}.`} />
      </p>
      <p>
        <Prose text="With RFC 9421, `strict` means `@method` and `@target-uri` (or `@path` with `@query`), the parameter `created`, and the same headers." />
      </p>
      <h3 id="repeated">What can be repeated</h3>
      <p>
        <Prose text="A `strict` signature is good for five minutes, and for the same request only. A read that is sent again is answered again; a write gets the stored answer and is not carried out twice; a funds check is evaluated again. In the other policies a signature that covers no more than it must could be sent to another path. Whoever sends it needs your subscription key and token as well." />
      </p>
    </>
  );
};

const Rules = ({ areas }: Pick<Props, 'areas'>) => (
  <section class="stack" id="rules" aria-labelledby="rules-title">
    <h2 id="rules-title">The rules</h2>
    <Summary facts={rules.map(({ name, text }) => ({ name, value: <Prose text={text} /> }))} />
    <h3 id="policies">How far you must sign</h3>
    <p>The bank has a policy for everybody, and may have another one for you.</p>
    <Records
      caption="Policies"
      shape="pairs"
      columns={['Policy', 'Meaning']}
      rows={policies.map(({ name, text }) => ({
        key: name,
        cells: [<code key="name">{name}</code>, <Prose key="text" text={text} />],
      }))}
    />
    <Strict areas={areas} />
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
    {frame.additions?.signatureHint !== undefined && (
      <p>
        <Prose text={frame.additions.signatureHint} />
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
              { id: 'repeated', title: 'What can be repeated' },
              { id: 'refused', title: 'When it is refused' },
            ]}
          />
          <div class="stack-wide">
            <Samples {...props} />
            <Rules areas={areas} />
            <Refused frame={frame} />
          </div>
        </div>
      </>
    ),
  });
};
