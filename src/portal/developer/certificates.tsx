/** The certificates of the third party with their expiry, and in a test system new ones. */
import { readCertificate } from '../../certificate/certificate.js';
import type { CertificateUse } from '../../certificate/checks.js';
import type { PageAnswer } from '../../http/pages.js';
import { DAY } from '../../lib/clock.js';
import type { CertificateRow } from '../../tpp/certificates.js';
import { Badge, type Meaning } from '../../web/components/badge.js';
import { Callout } from '../../web/components/blocks.js';
import { CodeBlock } from '../../web/components/code-block.js';
import { Records } from '../../web/components/records.js';
import { PortalForm, portalPage, Submit, timeText } from './frame.js';
import type { IssuedCertificate } from './port.js';
import {
  type DeveloperParts,
  ownApplications,
  PORTAL,
  type Refusal,
  refusalOf,
  type Visit,
} from './visit.js';

const PATH = `${PORTAL}/certificates`;
const SOON_MS = 30 * DAY;
const uses: readonly CertificateUse[] = ['seal', 'web'];

const stateOf = (
  { messages: { certs } }: Visit,
  { notAfter, blockedAt }: CertificateRow,
  now: number,
): { readonly meaning: Meaning; readonly text: string } => {
  const left = (notAfter ?? 0) - now;
  if (blockedAt !== null) return { meaning: 'bad', text: certs.blocked };
  if (left <= 0) return { meaning: 'bad', text: certs.expired };
  return left < SOON_MS ? { meaning: 'notice', text: certs.soon } : { meaning: 'good', text: certs.valid };
};

const List = ({
  visit,
  rows,
  now,
}: {
  readonly visit: Visit;
  readonly rows: readonly CertificateRow[];
  readonly now: number;
}) => {
  const texts = visit.messages.certs;
  if (rows.length === 0) return <p class="quiet">{texts.none}</p>;
  return (
    <Records
      caption={texts.heading}
      shape="certificates"
      columns={texts.columns}
      rows={rows.map((row) => {
        const { meaning, text } = stateOf(visit, row, now);
        return {
          key: row.fingerprint,
          cells: [
            <>
              <span class="block">{row.subject}</span>
              <code class="small">{row.fingerprint}</code>
            </>,
            texts.uses[row.use ?? ''] ?? '',
            row.notAfter === null ? '' : timeText(visit, row.notAfter),
            <Badge meaning={meaning}>{text}</Badge>,
          ],
        };
      })}
    />
  );
};

const IssueForm = ({ visit }: { readonly visit: Visit }) => {
  const texts = visit.messages.certs;
  return (
    <section class="card" aria-labelledby="issue">
      <h2 id="issue">{texts.issue}</h2>
      <p>{texts.issueText}</p>
      <PortalForm visit={visit} path={PATH}>
        <div class="field">
          <label for="use">{texts.use}</label>
          <select id="use" name="use">
            {uses.map((use) => (
              <option key={use} value={use}>
                {texts.uses[use]}
              </option>
            ))}
          </select>
        </div>
        <Submit text={texts.submit} />
      </PortalForm>
    </section>
  );
};

export const showCertificates = async (
  { admin, clock, portal }: DeveloperParts,
  visit: Visit,
  more: { readonly made?: IssuedCertificate; readonly refusal?: Refusal } = {},
): Promise<PageAnswer> => {
  const texts = visit.messages.certs;
  const { made, refusal } = more;
  const rows = await admin.certificates(visit.developer.tppId);
  return portalPage(visit, {
    title: texts.heading,
    path: PATH,
    errors: refusal?.errors ?? [],
    children: (
      <>
        <p class="lead">{texts.lead}</p>
        {made && (
          <section class="stack">
            <Callout meaning="notice" heading={texts.made}>
              <p>{texts.kept}</p>
            </Callout>
            <CodeBlock name={texts.privateKey} code={made.privateKey} />
            <CodeBlock name={texts.certificate} code={made.certificate} />
          </section>
        )}
        <List visit={visit} rows={rows} now={clock.now()} />
        {portal.issueCertificate && <IssueForm visit={visit} />}
      </>
    ),
  });
};

export const issueCertificate = async (parts: DeveloperParts, visit: Visit): Promise<PageAnswer> => {
  const [application] = await ownApplications(parts, visit);
  const use = uses.find((each) => each === visit.request.form.use);
  if (!parts.portal.issueCertificate || !use) return showCertificates(parts, visit);
  if (!application)
    return showCertificates(parts, visit, {
      refusal: refusalOf(visit, 'use', visit.messages.certs.noApplication),
    });
  const made = await parts.portal.issueCertificate(application.clientId, use);
  await parts.admin.registerCertificate({ certificate: readCertificate(made.certificate) });
  return showCertificates(parts, visit, { made });
};
