/** What is the same for all operations, on the first page of the reference. */
import { daysAndMoments, requestMediaTypes } from '../../http/openapi.js';
import { Summary } from '../../web/components/blocks.js';
import { Records } from '../../web/components/records.js';
import { Prose } from '../../web/components/text.js';
import type { Frame } from '../../web/frame.js';
import type { AreaView } from '../areas.js';

interface Props {
  readonly frame: Frame;
  readonly areas: readonly AreaView[];
  readonly timeZone: string;
}

const Rules = ({ frame, timeZone }: Omit<Props, 'areas'>) => (
  <Summary
    facts={[
      { name: 'Address', value: <code>{frame.baseUrl}</code> },
      {
        name: 'Format',
        value: <Prose text={`JSON in UTF-8. Bodies are sent as \`${requestMediaTypes.join('` or `')}\`.`} />,
      },
      { name: 'Days', value: daysAndMoments(timeZone) },
      {
        name: 'Strictness',
        value:
          'A body with a member that is not listed here is refused. Names and values are case-sensitive.',
      },
      {
        name: 'X-Request-ID',
        value:
          'A UUID that you make anew for every call. The answer repeats it: quote it when you ask the bank about a call.',
      },
      {
        name: 'Errors',
        value: (
          <>
            Every error has the same body. Its <code>type</code> leads to a page that says what to do, and{' '}
            <code>extensions.error.advice</code> says it to code:{' '}
            <a href={frame.href('/problems')}>all problems</a>.
          </>
        ),
      },
      {
        name: 'Signatures',
        value: (
          <>
            A request may be signed with your certificate, and some banks demand it:{' '}
            <a href={frame.href('/docs/guides/signatures')}>how to sign</a>.
          </>
        ),
      },
      {
        name: 'Version',
        value: (
          <>
            The path holds it: <code>v1</code>. See <a href={frame.href('/docs/changes')}>changes</a>.
          </>
        ),
      },
    ]}
  />
);

export const Basics = ({ frame, areas, timeZone }: Props) => (
  <section class="stack" id="basics" aria-labelledby="basics-title">
    <h2 id="basics-title">Before you call</h2>
    <Rules frame={frame} timeZone={timeZone} />
    <h3 id="credentials">Credentials</h3>
    <p>
      <Prose text="Two headers go with every call: `Ocp-Apim-Subscription-Key` with the key of your application, and `Authorization: Bearer …` with an access token from the authorization code grant, issued to that same application." />
    </p>
    <p>
      <Prose text="Consents are created by the operations, or inside the authorization request: `authorization_details` (RFC 9396) with one entry of type `account_access`, `funds_confirmation` or `payment_initiation` and the members of the body of the creating operation. The account holder then logs in and approves in one visit, and the token response names the `consentId`. A transfer also names its `paymentProduct`." />
    </p>
    <Records
      caption="Credentials by area"
      shape="pairs"
      columns={['Area', 'What a call needs']}
      rows={areas.map(({ id, title, path, demand }) => ({
        key: id,
        cells: [
          <a key="area" href={frame.href(path)}>
            {title}
          </a>,
          <Prose key="demand" text={demand ?? 'Nothing: these calls are open.'} />,
        ],
      }))}
    />
  </section>
);
